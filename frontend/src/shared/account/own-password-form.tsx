import { Button, Group } from '@mantine/core';
import { formErrorOf } from '../../api/api-error';
import { FormError } from '../ui/form-error';
import { SubmitButton } from '../ui/submit-button';
import { useCheckedField } from '../use-checked-field';
import classes from './account.module.css';
import { isPasswordWrong, WRONG_PASSWORD } from './own-errors';
import { PlainPasswordInput } from './plain-password-input';

interface OwnPasswordFormProps {
  mutation: { isPending: boolean; error: Error | null };
  submitLabel: string;
  onSubmit: (password: string) => void;
  onCancel: () => void;
}

/** Asks for the password again before a protected action. */
export function OwnPasswordForm({ mutation, submitLabel, onSubmit, onCancel }: OwnPasswordFormProps) {
  const { isPending, error } = mutation;
  const field = useCheckedField({
    error,
    isPending,
    problemOf: (refusal) => (isPasswordWrong(refusal) ? WRONG_PASSWORD : null),
    isEmpty: (password) => password === '',
    emptyMessage: 'Enter your current password',
    onSubmit,
  });

  const failure = error && !isPasswordWrong(error) ? error : null;
  return (
    <form className={classes.form} noValidate onSubmit={field.handleSubmit}>
      <FormError message={failure ? formErrorOf(failure, 'Failed to set it up', {}) : null} />
      <PlainPasswordInput
        ref={field.ref}
        // The page has another password field.
        label="Your password"
        autoComplete="current-password"
        size="sm"
        value={field.value}
        error={field.problem ?? undefined}
        onChange={field.handleChange}
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
