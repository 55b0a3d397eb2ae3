import { Button, Group, Modal, PasswordInput } from '@mantine/core';
import { messageOf } from '../../api/api-error';
import { session } from '../../api/session';
import type { User } from '../../api/types';
import { useSession } from '../../api/use-session';
import { CodeInput } from '../../shared/sign-in/code-input';
import dialogHead from '../../shared/ui/dialog-head.module.css';
import { FormError } from '../../shared/ui/form-error';
import { SubmitButton } from '../../shared/ui/submit-button';
import classes from './sign-in-again.module.css';
import { useSignInAgain } from './use-sign-in-again';

/** Covers an unsaved form after a session has ended. The same person returns to the form, or leaves it. */
export function SignInAgain({ person }: { person: User }) {
  const state = useSession();
  const { password, code, isCodeAsked, isPending, failure, handleSubmit } = useSignInAgain(person);

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
            {/* For password managers: they look for the username next to the password. */}
            <input type="hidden" autoComplete="username" value={person.email ?? ''} readOnly />
            <PasswordInput
              ref={password.ref}
              label="Password"
              autoComplete="current-password"
              data-autofocus
              required
              withAsterisk={false}
              value={password.value}
              error={password.error}
              aria-invalid={password.error ? true : undefined}
              onChange={(event) => password.change(event.currentTarget.value)}
            />
            {isCodeAsked ? (
              <CodeInput ref={code.ref} value={code.value} error={code.error} onChange={code.change} />
            ) : null}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={() => session.forget()}>
                Leave without saving
              </Button>
              <SubmitButton isBusy={isPending} busyLabel="Signing in...">
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
