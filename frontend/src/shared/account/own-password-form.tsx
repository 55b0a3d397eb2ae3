import { Button, Group } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { formErrorOf } from '../../api/api-error';
import { FormError } from '../ui/form-error';
import { SubmitButton } from '../ui/submit-button';
import classes from './account.module.css';
import { isPasswordWrong, WRONG_PASSWORD } from './own-errors';
import { PlainPasswordInput } from './plain-password-input';

interface OwnPasswordFormProps {
  mutation: { isPending: boolean; error: Error | null };
  submitLabel: string;
  onSubmit: (password: string) => void;
  onCancel: () => void;
}

/** Asks again for the password before something is done that it protects. */
export function OwnPasswordForm({ mutation, submitLabel, onSubmit, onCancel }: OwnPasswordFormProps) {
  const { isPending, error } = mutation;
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<string | undefined>();
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (error) {
      setWrong(isPasswordWrong(error) ? WRONG_PASSWORD : undefined);
      field.current?.focus();
    }
  }, [error]);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (isPending) {
      return;
    }
    if (password === '') {
      setWrong('Enter your current password');
      field.current?.focus();
      return;
    }
    onSubmit(password);
  }

  const failure = error && !isPasswordWrong(error) ? error : null;
  return (
    <form className={classes.form} noValidate onSubmit={handleSubmit}>
      <FormError message={failure ? formErrorOf(failure, 'Failed to set it up', {}) : null} />
      <PlainPasswordInput
        ref={field}
        // There is another one on the page.
        label="Your password"
        autoComplete="current-password"
        size="sm"
        value={password}
        error={wrong}
        onChange={(value) => {
          setPassword(value);
          setWrong(undefined);
        }}
      />
      <Group gap="xs">
        <SubmitButton isBusy={isPending} busyLabel="Checking...">
          {submitLabel}
        </SubmitButton>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
