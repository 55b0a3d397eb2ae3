import type { MantineSize } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError, fieldErrorsOf, formErrorOf } from '../../api/api-error';
import { useUser } from '../../api/use-session';
import { focusFirstInvalid } from '../focus-first-invalid';
import { FormError } from '../ui/form-error';
import { SubmitButton } from '../ui/submit-button';
import { toast } from '../ui/toast';
import classes from './account.module.css';
import { useChangePassword } from './mutations';
import { newPasswordErrors } from './new-password';
import { PlainPasswordInput } from './plain-password-input';

const EMPTY = { currentPassword: '', newPassword: '', again: '' };
type Fields = typeof EMPTY;

/** Changes the password of the signed-in person. */
export function PasswordForm({ size = 'sm' }: { size?: MantineSize }) {
  const user = useUser();
  const element = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(EMPTY);
  const [errors, setErrors] = useState<Partial<Fields>>({});
  const changePassword = useChangePassword();

  // The server's refusal marks its fields only now.
  useEffect(() => {
    if (changePassword.error && element.current) {
      focusFirstInvalid(element.current);
    }
  }, [changePassword.error]);

  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (changePassword.isPending) {
      return;
    }
    const found = errorsOf(values);
    setErrors(found);
    if (Object.keys(found).length > 0) {
      focusFirstInvalid(event.currentTarget);
      return;
    }
    const { currentPassword, newPassword } = values;
    changePassword.mutate(
      { currentPassword, newPassword },
      {
        onSuccess: () => {
          setValues(EMPTY);
          toast.success('Password changed. You are signed out on all other devices.');
        },
        onError: (error) => setErrors(isWrong(error) ? WRONG : fieldErrorsOf(error)),
      },
    );
  }

  function inputProps(name: keyof Fields) {
    return {
      size,
      value: values[name],
      error: errors[name],
      onChange: (value: string) => {
        setValues((before) => ({ ...before, [name]: value }));
        setErrors(({ [name]: _, ...others }) => others);
      },
    };
  }

  const failure = changePassword.isError && !isWrong(changePassword.error) ? changePassword.error : null;
  return (
    <form ref={element} className={classes.form} noValidate onSubmit={handleSubmit}>
      <FormError message={failure ? formErrorOf(failure, 'Failed to change the password', values) : null} />
      {/* For password managers: they look for the username next to the password. */}
      <input type="hidden" autoComplete="username" value={user?.username ?? user?.email ?? ''} readOnly />
      <PlainPasswordInput
        label="Current password"
        autoComplete="current-password"
        {...inputProps('currentPassword')}
      />
      <PlainPasswordInput
        label="New password"
        description="At least 8 characters. You will be signed out on all other devices."
        autoComplete="new-password"
        {...inputProps('newPassword')}
      />
      <PlainPasswordInput label="New password again" autoComplete="new-password" {...inputProps('again')} />
      <SubmitButton size={size} isBusy={changePassword.isPending} busyLabel="Changing...">
        Change password
      </SubmitButton>
    </form>
  );
}

const WRONG = { currentPassword: 'This is not your current password' };

function isWrong(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'wrong_password';
}

function errorsOf({ currentPassword, newPassword, again }: Fields): Partial<Fields> {
  const { password, again: different } = newPasswordErrors(newPassword, again);
  return {
    ...(currentPassword === '' ? { currentPassword: 'Enter your current password' } : {}),
    ...(password ? { newPassword: password } : {}),
    ...(different ? { again: different } : {}),
  };
}
