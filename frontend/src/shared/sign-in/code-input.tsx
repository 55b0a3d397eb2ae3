import { Button, type MantineSize, TextInput } from '@mantine/core';
import { type RefObject, useState } from 'react';
import classes from './code-input.module.css';

interface CodeInputProps {
  ref: RefObject<HTMLInputElement | null>;
  size?: MantineSize;
  value: string;
  error: string | null;
  /** False if only a code of the authenticator is accepted. */
  takesRecoveryCode?: boolean;
  onChange: (code: string) => void;
}

/** A code of the second factor, or a recovery code instead. */
export function CodeInput({
  ref,
  size = 'sm',
  value,
  error,
  takesRecoveryCode = true,
  onChange,
}: CodeInputProps) {
  const [isRecovery, setIsRecovery] = useState(false);

  function handleSwitch() {
    setIsRecovery(!isRecovery);
    onChange('');
    ref.current?.focus();
  }

  return (
    <div>
      <TextInput
        ref={ref}
        size={size}
        label={isRecovery ? 'Recovery code' : 'Code from your authenticator app'}
        placeholder={isRecovery ? 'abcd-efgh-ijkl-mnop' : '123456'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        autoCapitalize="none"
        spellCheck={false}
        required
        withAsterisk={false}
        value={value}
        error={error}
        aria-invalid={error ? true : undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {takesRecoveryCode ? (
        <Button className={classes.switch} variant="subtle" size="compact-sm" onClick={handleSwitch}>
          {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
        </Button>
      ) : null}
    </div>
  );
}
