import { Button, Group, Modal, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../api/api-error';
import { session } from '../../api/session';
import type { User } from '../../api/types';
import { useSession } from '../../api/use-session';
import { CodeInput } from '../../shared/sign-in/code-input';
import { isCodeWanted, isCodeWrong, WRONG_CODE } from '../../shared/sign-in/second-factor-errors';
import dialogHead from '../../shared/ui/dialog-head.module.css';
import { FormError } from '../../shared/ui/form-error';
import { SubmitButton } from '../../shared/ui/submit-button';
import classes from './sign-in-again.module.css';

/** Over a form that is not saved: the same person comes back to it, or leaves it. */
export function SignInAgain({ person }: { person: User }) {
  const state = useSession();
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState<string | null>(null);
  // Once it was asked for, it stays.
  const [code, setCode] = useState<string | null>(null);
  const [codeError, setCodeError] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const codeField = useRef<HTMLInputElement>(null);
  const isSending = useRef(false);
  const signIn = useMutation({
    mutationFn: () =>
      session.signIn({
        email: person.email ?? '',
        password,
        ...(code === null ? {} : { code }),
        portal: person.role === 'SUPER_ADMIN' ? 'SUPER_ADMIN' : 'CLIENT',
      }),
    onError: (error) => {
      if (isCodeWanted(error)) {
        setCode((before) => before ?? '');
      } else if (isCodeWrong(error)) {
        setCodeError(WRONG_CODE);
        codeField.current?.focus();
      } else {
        field.current?.focus();
      }
    },
    onSettled: () => {
      isSending.current = false;
    },
  });

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    // It stands in the React tree of the screen behind it, whose forms are not meant.
    event.stopPropagation();
    if (isSending.current) {
      return;
    }
    if (password === '') {
      setMissing('Enter your password');
      field.current?.focus();
      return;
    }
    if (code?.trim() === '') {
      setCodeError('Enter the code');
      codeField.current?.focus();
      return;
    }
    isSending.current = true;
    signIn.mutate();
  }

  const isCodeAsked = code !== null;
  useEffect(() => {
    if (isCodeAsked) {
      codeField.current?.focus();
    }
  }, [isCodeAsked]);

  const failure =
    signIn.error && !isCodeWanted(signIn.error) && !isCodeWrong(signIn.error) ? signIn.error : null;

  return (
    <Modal.Root opened onClose={() => undefined} closeOnEscape={false} closeOnClickOutside={false} size="sm">
      <Modal.Overlay />
      <Modal.Content>
        <div className={dialogHead.root}>
          <Modal.Title>{titleOf(state.status === 'anonymous' ? state.ended?.by : undefined)}</Modal.Title>
        </div>
        <Modal.Body px="lg" pb="lg">
          <form className={classes.form} noValidate onSubmit={handleSubmit}>
            <p className={classes.text}>
              What you have entered is still here, but it is not saved. Sign in again to go on.
            </p>
            <FormError message={failure ? messageOf(failure, 'Login failed') : null} />
            <p className={classes.text}>
              Email Address <strong className={classes.email}>{person.email}</strong>
            </p>
            {/* For password managers: they look for the name beside the password. */}
            <input type="hidden" autoComplete="username" value={person.email ?? ''} readOnly />
            <PasswordInput
              ref={field}
              label="Password"
              autoComplete="current-password"
              data-autofocus
              required
              withAsterisk={false}
              value={password}
              error={missing}
              aria-invalid={missing ? true : undefined}
              onChange={(event) => {
                setPassword(event.currentTarget.value);
                setMissing(null);
              }}
            />
            {code === null ? null : (
              <CodeInput
                ref={codeField}
                value={code}
                error={codeError}
                onChange={(value) => {
                  setCode(value);
                  setCodeError(null);
                }}
              />
            )}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={() => session.forget()}>
                Leave without saving
              </Button>
              <SubmitButton isBusy={signIn.isPending} busyLabel="Signing in...">
                Sign in
              </SubmitButton>
            </Group>
          </form>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function titleOf(by: 'server' | 'otherTab' | undefined): string {
  return by === 'otherTab' ? 'You were signed out in another tab' : 'Your session has ended';
}
