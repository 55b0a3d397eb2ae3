import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { fieldErrorsOf, messageOf } from '../../api/api-error';
import { session } from '../../api/session';
import { focusFirstInvalid } from '../../shared/focus-first-invalid';
import { pathAfterSignIn } from '../../shared/return-to';
import { isCodeWanted } from '../../shared/sign-in/second-factor-errors';
import { SignInWaitNotice } from '../../shared/sign-in/sign-in-wait-notice';
import { usePatientSignIn } from '../../shared/sign-in/use-patient-sign-in';
import { FormError } from '../../shared/ui/form-error';
import { SessionNotice } from '../../shared/ui/session-notice';
import { SubmitButton } from '../../shared/ui/submit-button';
import { CodeStep } from './code-step';
import { ForgottenPasswordLink } from './forgotten-password-link';
import classes from './sign-in-page.module.css';
import { SignInShell } from './sign-in-shell';

const signInFormSchema = z.object({
  email: z.email({ error: 'Enter your email address, such as name@example.org' }),
  password: z.string().check(z.minLength(1, { error: 'Enter your password' })),
  rememberMe: z.boolean(),
});

type Credentials = z.infer<typeof signInFormSchema>;

interface AccountSignInProps {
  portal: 'SUPER_ADMIN' | 'CLIENT';
  title: string;
  description: string;
  rememberMeLabel: string;
  buttonLabel: string;
  footer?: string;
  /** Where a successful sign-in leads. */
  home: string;
}

/** Sign-in by e-mail and password, for both portals of accounts. */
export function AccountSignIn(props: AccountSignInProps) {
  const { portal, title, description, rememberMeLabel, buttonLabel, footer, home } = props;
  const navigate = useNavigate();
  const { state } = useLocation();
  // That it is pending is drawn a moment later, and a double click may be faster.
  const isSending = useRef(false);
  const element = useRef<HTMLFormElement>(null);
  // What was right and not enough: kept on this page alone, until the code is there.
  const [asked, setAsked] = useState<Credentials | null>(null);
  const { signIn, wait } = usePatientSignIn(
    (body: Credentials & { code?: string } & { ticket: string }, signal) =>
      session.signIn({ ...body, portal }, signal),
  );
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '', rememberMe: false },
    validate: schemaResolver(signInFormSchema, { sync: true }),
  });

  const email = useRef<HTMLInputElement>(null);
  // Also when somebody comes back from the code.
  const isAsked = asked !== null;
  useEffect(() => {
    if (!isAsked) {
      email.current?.focus();
    }
  }, [isAsked]);
  // What the server refused is marked only now.
  useEffect(() => {
    if (signIn.error && element.current) {
      focusFirstInvalid(element.current);
    }
  }, [signIn.error]);

  function send(credentials: Credentials, code?: string) {
    if (isSending.current) {
      return;
    }
    isSending.current = true;
    signIn.mutate(code === undefined ? credentials : { ...credentials, code }, {
      onSuccess: (user) => navigate(pathAfterSignIn(state, user, home), { replace: true }),
      onError: (error) => {
        if (isCodeWanted(error)) {
          setAsked(credentials);
        }
        form.setErrors(fieldErrorsOf(error));
      },
      onSettled: () => {
        isSending.current = false;
      },
    });
  }

  const handleSubmit = form.onSubmit((values) => send(values));

  if (asked) {
    return (
      <SignInShell title={title} description={description}>
        <CodeStep
          email={asked.email}
          error={signIn.error}
          isPending={signIn.isPending}
          wait={wait}
          onSubmit={(code) => send(asked, code)}
          onBack={() => {
            signIn.reset();
            setAsked(null);
          }}
        />
      </SignInShell>
    );
  }

  return (
    <SignInShell title={title} description={description}>
      <SessionNotice />
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
          // Mantine leaves it out here, and neither screen readers nor the focus find what is wrong.
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
      <ForgottenPasswordLink />
      {footer ? <p className={classes.footer}>{footer}</p> : null}
    </SignInShell>
  );
}
