import { PasswordInput } from '@mantine/core';

interface PasswordFieldProps {
  value: string;
  onChange: (password: string) => void;
}

/** The voter's password, large enough for a phone. */
export function PasswordField({ value, onChange }: PasswordFieldProps) {
  return (
    <PasswordInput
      label="Password"
      labelProps={{ size: 'md' }}
      size="lg"
      autoComplete="current-password"
      required
      withAsterisk={false}
      value={value}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
