import { type MantineSize, PasswordInput } from '@mantine/core';
import type { Ref } from 'react';

interface PlainPasswordInputProps {
  ref?: Ref<HTMLInputElement>;
  label: string;
  description?: string;
  autoComplete: 'current-password' | 'new-password';
  size: MantineSize;
  value: string;
  error: string | undefined;
  onChange: (password: string) => void;
}

/** A password of one's own. */
export function PlainPasswordInput({ error, onChange, description, ...props }: PlainPasswordInputProps) {
  return (
    <PasswordInput
      {...props}
      description={error ? undefined : description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      required
      withAsterisk={false}
      error={error}
      // Mantine leaves it out here, and neither screen readers nor the focus find what is wrong.
      aria-invalid={error ? true : undefined}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
