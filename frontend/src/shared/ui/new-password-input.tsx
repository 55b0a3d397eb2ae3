import { Button, Group, PasswordInput } from '@mantine/core';
import { IconDice5 } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { randomPassword } from '../random-password';

interface NewPasswordInputProps {
  value: string;
  error?: ReactNode;
  description?: string;
  onChange: (password: string) => void;
}

/** A password that somebody else will use: it can be made up, and is shown then. */
export function NewPasswordInput({ value, error, description, onChange }: NewPasswordInputProps) {
  const [isVisible, setIsVisible] = useState(false);

  function handleGenerate() {
    onChange(randomPassword());
    setIsVisible(true);
  }

  return (
    <PasswordInput
      label="Password"
      description={error ? undefined : description}
      required
      autoComplete="new-password"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value}
      error={error}
      visible={isVisible}
      onVisibilityChange={setIsVisible}
      onChange={(event) => onChange(event.currentTarget.value)}
      inputContainer={(input) => (
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <div style={{ flex: 1 }}>{input}</div>
          <Button
            variant="default"
            leftSection={<IconDice5 size={16} stroke={1.75} aria-hidden="true" />}
            onClick={handleGenerate}
          >
            Generate
          </Button>
        </Group>
      )}
    />
  );
}
