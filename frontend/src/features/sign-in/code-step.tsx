import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../api/api-error';
import { CodeInput } from '../../shared/sign-in/code-input';
import type { SignInWait } from '../../shared/sign-in/patient-sign-in';
import { isCodeWanted, isCodeWrong, WRONG_CODE } from '../../shared/sign-in/second-factor-errors';
import { SignInWaitNotice } from '../../shared/sign-in/sign-in-wait-notice';
import { FormError } from '../../shared/ui/form-error';
import { SubmitButton } from '../../shared/ui/submit-button';
import classes from './sign-in-page.module.css';

interface CodeStepProps {
  email: string;
  error: Error | null;
  isPending: boolean;
  wait: SignInWait | null;
  onSubmit: (code: string) => void;
  onBack: () => void;
}

/** The second step of a sign-in, where a second factor is on. */
export function CodeStep({ email, error, isPending, wait, onSubmit, onBack }: CodeStepProps) {
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (error && !isCodeWanted(error)) {
      setWrong(isCodeWrong(error) ? WRONG_CODE : null);
      field.current?.focus();
    }
  }, [error]);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (isPending) {
      return;
    }
    if (code.trim() === '') {
      setWrong('Enter the code');
      field.current?.focus();
      return;
    }
    onSubmit(code);
  }

  const failure = error && !isPending && !isCodeWanted(error) && !isCodeWrong(error) ? error : null;
  return (
    <form className={classes.form} noValidate onSubmit={handleSubmit}>
      <p className={classes.step}>
        Your password is right. To sign in as <strong>{email}</strong>, enter a code, too.
      </p>
      <FormError message={failure ? messageOf(failure, 'Login failed') : null} />
      <CodeInput
        ref={field}
        size="md"
        value={code}
        error={wrong}
        onChange={(value) => {
          setCode(value);
          setWrong(null);
        }}
      />
      <SubmitButton size="md" mt="xs" fullWidth isBusy={isPending} busyLabel="Signing in...">
        Sign in
      </SubmitButton>
      <Button variant="default" size="md" fullWidth onClick={onBack}>
        Back
      </Button>
      <SignInWaitNotice wait={wait} />
    </form>
  );
}
