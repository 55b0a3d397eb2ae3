import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { fieldErrorsOf, messageOf } from '../../api/api-error';
import { publicApi, unwrap } from '../../api/client';
import { knownDevice } from '../../api/device-tokens';
import { focusFirstInvalid } from '../../shared/focus-first-invalid';
import { paths } from '../../shared/paths';
import { FormError } from '../../shared/ui/form-error';
import { SubmitButton } from '../../shared/ui/submit-button';
import { TextLink } from '../../shared/ui/text-link';
import classes from './sign-in-page.module.css';
import { SignInShell } from './sign-in-shell';

/** Sends a link for a new password by mail. The page never reveals whether the account exists. */
export function ForgottenPasswordPage() {
  const { state } = useLocation();
  const signIn = state?.from === paths.clientLogin ? paths.clientLogin : paths.adminLogin;
  const element = useRef<HTMLFormElement>(null);
  const [email, setEmail] = useState('');
  const [missing, setMissing] = useState<string | null>(null);
  const ask = useMutation({
    mutationFn: () =>
      unwrap(publicApi.POST('/auth/forgotten-password', { body: { email, ...knownDevice() } })),
  });
  const wrong = missing ?? fieldErrorsOf(ask.error).email ?? null;

  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  // The server's refusal marks its fields only now.
  useEffect(() => {
    if (ask.error && element.current) {
      focusFirstInvalid(element.current);
    }
  }, [ask.error]);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (ask.isPending) {
      return;
    }
    if (email.trim() === '') {
      setMissing('Enter your email address');
      field.current?.focus();
      return;
    }
    ask.mutate();
  }

  if (ask.isSuccess) {
    return <LinkSent email={email} signIn={signIn} />;
  }
  return (
    <SignInShell
      title="Forgotten password"
      description="Enter the email address of your account. You get a link by which you choose a new password."
    >
      <form ref={element} className={classes.form} noValidate onSubmit={handleSubmit}>
        <FormError message={ask.isError && !wrong ? messageOf(ask.error, 'Failed to send the link') : null} />
        <TextInput
          ref={field}
          type="email"
          label="Email Address"
          autoComplete="username"
          size="md"
          required
          withAsterisk={false}
          value={email}
          error={wrong}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            setMissing(null);
            ask.reset();
          }}
        />
        <SubmitButton size="md" fullWidth isBusy={ask.isPending} busyLabel="Sending...">
          Send link
        </SubmitButton>
      </form>
      <p className={classes.footer}>
        <TextLink to={signIn}>Back to sign-in</TextLink>
      </p>
      <p className={classes.text}>Voters ask the organizer of their meeting for a new password.</p>
    </SignInShell>
  );
}

function LinkSent({ email, signIn }: { email: string; signIn: string }) {
  return (
    <SignInShell title="Check your email">
      <p role="status" className={classes.text}>
        If there is an account with the address <strong>{email}</strong>, a mail with a link is on its way.
        The link works once, within one hour.
      </p>
      <p className={classes.text}>
        No email? Check the spam folder, or ask the operator of this site for a new password.
      </p>
      <p className={classes.footer}>
        <TextLink to={signIn}>Back to sign-in</TextLink>
      </p>
    </SignInShell>
  );
}
