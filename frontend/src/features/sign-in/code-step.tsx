import { Button } from '@mantine/core';
import { messageOf } from '../../api/api-error';
import { CodeInput } from '../../shared/sign-in/code-input';
import type { SignInWait } from '../../shared/sign-in/patient-sign-in';
import { isCodeWanted, isCodeWrong, WRONG_CODE } from '../../shared/sign-in/second-factor-errors';
import { SignInWaitNotice } from '../../shared/sign-in/sign-in-wait-notice';
import { FormError } from '../../shared/ui/form-error';
import { SubmitButton } from '../../shared/ui/submit-button';
import { useCheckedField } from '../../shared/use-checked-field';
import classes from './sign-in-page.module.css';

interface CodeStepProps {
  email: string;
  error: Error | null;
  isPending: boolean;
  wait: SignInWait | null;
  onSubmit: (code: string) => void;
  onBack: () => void;
}

/** The second step of a sign-in with a second factor. */
export function CodeStep({ email, error, isPending, wait, onSubmit, onBack }: CodeStepProps) {
  const refusal = error && !isCodeWanted(error) ? error : null;
  const field = useCheckedField({
    error: refusal,
    isPending,
    problemOf: (refused) => (isCodeWrong(refused) ? WRONG_CODE : null),
    isEmpty: (code) => code.trim() === '',
    emptyMessage: 'Enter the code',
    onSubmit,
  });

  const failure = refusal && !isPending && !isCodeWrong(refusal) ? refusal : null;
  return (
    <form className={classes.form} noValidate onSubmit={field.handleSubmit}>
      <p className={classes.step}>
        Your password is right. To sign in as <strong>{email}</strong>, enter a code, too.
      </p>
      <FormError message={failure ? messageOf(failure, 'Login failed') : null} />
      <CodeInput
        ref={field.ref}
        size="md"
        value={field.value}
        error={field.problem}
        onChange={field.handleChange}
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
