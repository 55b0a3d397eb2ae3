import { Button, PasswordInput } from '@mantine/core';
import { IconDice5 } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { randomPassword } from '../random-password';
import { CopyButton } from './copy-button';
import classes from './new-password-input.module.css';

interface NewPasswordInputProps {
  label?: string;
  /** Off if an empty field keeps the current password. */
  isRequired?: boolean;
  value: string;
  error?: ReactNode;
  description?: string;
  onChange: (password: string) => void;
}

/** A password for another person. It can be generated, and is visible then. */
export function NewPasswordInput(props: NewPasswordInputProps) {
  const { label = 'Password', isRequired = true, value, error, description, onChange } = props;
  const [isVisible, setIsVisible] = useState(false);

  function handleGenerate() {
    onChange(randomPassword());
    setIsVisible(true);
  }

  return (
    <PasswordInput
      label={label}
      description={error ? undefined : description}
      required={isRequired}
      autoComplete="new-password"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value}
      error={error}
      // Mantine does not set it here. Without it, neither screen readers nor the focus find the invalid field.
      aria-invalid={error ? true : undefined}
      visible={isVisible}
      onVisibilityChange={setIsVisible}
      onChange={(event) => onChange(event.currentTarget.value)}
      inputContainer={(input) => (
        <div className={classes.row}>
          <div className={classes.input}>{input}</div>
          <div className={classes.tools}>
            <Button
              variant="default"
              leftSection={<IconDice5 size={16} stroke={1.75} aria-hidden="true" />}
              onClick={handleGenerate}
            >
              Generate
            </Button>
            {value ? <CopyButton text={value} label="Copy password" /> : null}
          </div>
        </div>
      )}
    />
  );
}
