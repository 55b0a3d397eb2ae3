import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { fieldErrorsOf, formErrorOf } from '../../api/api-error';
import { publicApi, unwrap } from '../../api/client';
import { keepDeviceToken } from '../../api/device-tokens';
import { newPasswordErrors } from '../../shared/account/new-password';
import { PlainPasswordInput } from '../../shared/account/plain-password-input';
import { focusFirstInvalid } from '../../shared/focus-first-invalid';
import { paths } from '../../shared/paths';
import { FormError } from '../../shared/ui/form-error';
import { SubmitButton } from '../../shared/ui/submit-button';
import { TextLink } from '../../shared/ui/text-link';
import { takeResetToken } from './reset-token';
import classes from './sign-in-page.module.css';
import { SignInShell } from './sign-in-shell';

const EMPTY = { newPassword: '', again: '' };
type Fields = typeof EMPTY;

/** The page behind the link of a mail: sets a new password, once. */
export function ResetPasswordPage() {
  const [token] = useState(takeResetToken);
  const element = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(EMPTY);
  const [errors, setErrors] = useState<Partial<Fields>>({});
  const reset = useMutation({
    mutationFn: () =>
      unwrap(
        publicApi.POST('/auth/reset-password', {
          body: { token: token ?? '', newPassword: values.newPassword },
        }),
      ),
    onSuccess: (done) => keepDeviceToken(done.deviceToken),
    onError: (error) => setErrors(fieldErrorsOf(error)),
  });

  // The server's refusal marks its fields only now.
  useEffect(() => {
    if (reset.error && element.current) {
      focusFirstInvalid(element.current);
    }
  }, [reset.error]);

  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (reset.isPending) {
      return;
    }
    const { password, again } = newPasswordErrors(values.newPassword, values.again);
    const found = { ...(password ? { newPassword: password } : {}), ...(again ? { again } : {}) };
    setErrors(found);
    if (Object.keys(found).length > 0) {
      focusFirstInvalid(event.currentTarget);
      return;
    }
    reset.mutate();
  }

  function inputProps(name: keyof Fields) {
    return {
      size: 'md' as const,
      autoComplete: 'new-password' as const,
      value: values[name],
      error: errors[name],
      onChange: (value: string) => {
        setValues((before) => ({ ...before, [name]: value }));
        setErrors(({ [name]: _, ...others }) => others);
      },
    };
  }

  if (token === null) {
    return <IncompleteLink />;
  }
  if (reset.isSuccess) {
    return <PasswordChanged />;
  }
  return (
    <SignInShell title="Choose a new password" description="You will be signed out on all devices.">
      <form ref={element} className={classes.form} noValidate onSubmit={handleSubmit}>
        <FormError
          message={reset.isError ? formErrorOf(reset.error, 'Failed to change the password', values) : null}
        />
        <PlainPasswordInput
          label="New password"
          description="At least 8 characters."
          {...inputProps('newPassword')}
        />
        <PlainPasswordInput label="New password again" {...inputProps('again')} />
        <SubmitButton size="md" fullWidth isBusy={reset.isPending} busyLabel="Changing...">
          Change password
        </SubmitButton>
      </form>
      <p className={classes.footer}>
        <TextLink to={paths.forgottenPassword}>Ask for a new link</TextLink>
      </p>
    </SignInShell>
  );
}

function IncompleteLink() {
  return (
    <SignInShell title="This link is not complete">
      <p className={classes.text}>Open it from the mail again, or ask for a new one.</p>
      <p className={classes.footer}>
        <TextLink to={paths.forgottenPassword}>Ask for a new link</TextLink>
      </p>
    </SignInShell>
  );
}

function PasswordChanged() {
  return (
    <SignInShell title="Your password is changed">
      <p role="status" className={classes.text}>
        You are signed out on all devices. Sign in with the new password.
      </p>
      <p className={classes.footer}>
        <TextLink to={paths.clientLogin}>Sign in as an organizer</TextLink>
      </p>
      <p className={classes.text}>
        <TextLink to={paths.adminLogin}>Sign in as a super administrator</TextLink>
      </p>
    </SignInShell>
  );
}
