import { schemaResolver, useForm } from '@mantine/form';
import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { fieldErrorsOf } from '../../api/api-error';
import { session } from '../../api/session';
import { pathAfterSignIn } from '../../shared/return-to';
import { isCodeWanted } from '../../shared/sign-in/second-factor-errors';
import { usePatientSignIn } from '../../shared/sign-in/use-patient-sign-in';

const signInFormSchema = z.object({
  email: z.email({ error: 'Enter your email address, such as name@example.org' }),
  password: z.string().check(z.minLength(1, { error: 'Enter your password' })),
  rememberMe: z.boolean(),
});

export type Credentials = z.infer<typeof signInFormSchema>;

export interface AccountSignInOptions {
  portal: 'SUPER_ADMIN' | 'CLIENT';
  /** The target of a successful sign-in. */
  home: string;
}

export type AccountSignInState = ReturnType<typeof useAccountSignIn>;

/** Signs an account in: by its password, and by a code if the server asks for one. */
export function useAccountSignIn({ portal, home }: AccountSignInOptions) {
  const navigate = useNavigate();
  const { state } = useLocation();
  // The pending state is rendered a moment later, and a double click may be faster.
  const isSending = useRef(false);
  // Correct credentials that need a code. They are kept only on this page, until the code is entered.
  const [asked, setAsked] = useState<Credentials | null>(null);
  const { signIn, wait, cancel } = usePatientSignIn(
    (body: Credentials & { code?: string } & { ticket: string }, signal) =>
      session.signIn({ ...body, portal }, signal),
  );
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '', rememberMe: false },
    validate: schemaResolver(signInFormSchema, { sync: true }),
  });

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

  function goBack() {
    cancel();
    // The callbacks of a cancelled attempt never run.
    isSending.current = false;
    setAsked(null);
  }

  return { form, signIn, wait, asked, send, goBack };
}
