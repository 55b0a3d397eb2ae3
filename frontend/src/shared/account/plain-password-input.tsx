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

/** A field for the person's own password. */
export function PlainPasswordInput({ error, onChange, description, ...props }: PlainPasswordInputProps) {
  return (
    <PasswordInput
      {...props}
      description={error ? undefined : description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      required
      withAsterisk={false}
      error={error}
      // Mantine does not set it here. Without it, neither screen readers nor the focus find the invalid field.
      aria-invalid={error ? true : undefined}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
