import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { fieldErrorsOf, messageOf } from '../../api/api-error';
import { session } from '../../api/session';
import { focusFirstInvalid } from '../../shared/focus-first-invalid';
import { FormError } from '../../shared/ui/form-error';
import { SubmitButton } from '../../shared/ui/submit-button';
import { Wordmark } from '../../shared/ui/wordmark';
import { Hall } from './hall';
import classes from './sign-in-page.module.css';

const signInFormSchema = z.object({
  email: z.email({ error: 'Enter your email address, such as name@example.org' }),
  password: z.string().check(z.minLength(1, { error: 'Enter your password' })),
  rememberMe: z.boolean(),
});

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
  const signIn = useMutation({
    mutationFn: (body: z.infer<typeof signInFormSchema>) => session.signIn({ ...body, portal }),
  });
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '', rememberMe: false },
    validate: schemaResolver(signInFormSchema, { sync: true }),
  });

  const handleSubmit = form.onSubmit((values) => {
    if (signIn.isPending) {
      return;
    }
    signIn.mutate(values, {
      onSuccess: () => navigate(home, { replace: true }),
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    });
  });

  return (
    <div className={classes.root}>
      <title>{`${title} · Plenum`}</title>
      <header className={classes.hall}>
        <Wordmark size={24} />
        <Hall className={classes.seats} />
        <p className={classes.line}>Meetings that decide, with every vote counted once.</p>
      </header>
      <main className={classes.main}>
        <div className={classes.panel}>
          <h1 className={classes.title}>{title}</h1>
          <p className={classes.description}>{description}</p>
          <form
            className={classes.form}
            noValidate
            onSubmit={(event) => {
              handleSubmit(event);
              focusFirstInvalid(event.currentTarget);
            }}
          >
            <FormError message={signIn.isError ? messageOf(signIn.error, 'Login failed') : null} />
            <TextInput
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
            />
            <Checkbox
              label={rememberMeLabel}
              key={form.key('rememberMe')}
              {...form.getInputProps('rememberMe', { type: 'checkbox' })}
            />
            <SubmitButton size="md" mt="xs" fullWidth isBusy={signIn.isPending} busyLabel="Signing in...">
              {buttonLabel}
            </SubmitButton>
          </form>
          {footer ? <p className={classes.footer}>{footer}</p> : null}
        </div>
      </main>
    </div>
  );
}
