import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { messageOf } from '../../api/api-error';
import { focusFirstInvalid } from '../../shared/focus-first-invalid';
import { paths } from '../../shared/paths';
import { SignInWaitNotice } from '../../shared/sign-in/sign-in-wait-notice';
import { FormError } from '../../shared/ui/form-error';
import { SessionNotice } from '../../shared/ui/session-notice';
import { SubmitButton } from '../../shared/ui/submit-button';
import { TextLink } from '../../shared/ui/text-link';
import { CodeStep } from './code-step';
import { ForgottenPasswordLink } from './forgotten-password-link';
import classes from './sign-in-page.module.css';
import { SignInShell } from './sign-in-shell';
import { type AccountSignInOptions, type AccountSignInState, useAccountSignIn } from './use-account-sign-in';

interface AccountSignInProps extends AccountSignInOptions {
  title: string;
  description: string;
  rememberMeLabel: string;
  buttonLabel: string;
  footer?: string;
}

/** Sign-in by email and password, for both portals of accounts. */
export function AccountSignIn(props: AccountSignInProps) {
  const { title, description, rememberMeLabel, buttonLabel, footer } = props;
  const state = useAccountSignIn(props);
  const { signIn, wait, asked, send, goBack } = state;

  if (asked) {
    return (
      <SignInShell title={title} description={description}>
        <CodeStep
          email={asked.email}
          error={signIn.error}
          isPending={signIn.isPending}
          wait={wait}
          onSubmit={(code) => send(asked, code)}
          onBack={goBack}
        />
      </SignInShell>
    );
  }

  return (
    <SignInShell title={title} description={description}>
      <div className={classes.elsewhere}>
        <p>
          Here to vote? <TextLink to={paths.participant}>Enter your code</TextLink>
        </p>
        {props.portal === 'SUPER_ADMIN' ? (
          <p>
            Running a meeting? <TextLink to={paths.clientLogin}>Organizers sign in here</TextLink>
          </p>
        ) : null}
      </div>
      <SessionNotice />
      <CredentialsForm state={state} rememberMeLabel={rememberMeLabel} buttonLabel={buttonLabel} />
      <ForgottenPasswordLink />
      {footer ? <p className={classes.footer}>{footer}</p> : null}
    </SignInShell>
  );
}

interface CredentialsFormProps extends Pick<AccountSignInProps, 'rememberMeLabel' | 'buttonLabel'> {
  state: AccountSignInState;
}

function CredentialsForm({ state, rememberMeLabel, buttonLabel }: CredentialsFormProps) {
  const { form, signIn, wait, send } = state;
  const element = useRef<HTMLFormElement>(null);
  const email = useRef<HTMLInputElement>(null);
  const handleSubmit = form.onSubmit((values) => send(values));

  // Also after returning from the code step.
  useEffect(() => email.current?.focus(), []);
  // The server's refusal marks its fields only now.
  useEffect(() => {
    if (signIn.error && element.current) {
      focusFirstInvalid(element.current);
    }
  }, [signIn.error]);

  return (
    <form
      ref={element}
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        handleSubmit(event);
        focusFirstInvalid(event.currentTarget);
      }}
    >
      <FormError message={signIn.isError ? messageOf(signIn.error, 'Login failed') : null} />
      <TextInput
        ref={email}
        type="email"
        label="Email Address"
        autoComplete="username"
        size="md"
        required
        withAsterisk={false}
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        size="md"
        required
        withAsterisk={false}
        key={form.key('password')}
        {...form.getInputProps('password')}
        // Mantine does not set it here. Without it, neither screen readers nor the focus find the invalid field.
        aria-invalid={form.errors.password ? true : undefined}
      />
      <Checkbox
        label={rememberMeLabel}
        key={form.key('rememberMe')}
        {...form.getInputProps('rememberMe', { type: 'checkbox' })}
      />
      <SubmitButton size="md" mt="xs" fullWidth isBusy={signIn.isPending} busyLabel="Signing in...">
        {buttonLabel}
      </SubmitButton>
      <SignInWaitNotice wait={wait} />
    </form>
  );
}
