import { Button, Group } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { formErrorOf } from '../../api/api-error';
import type { BothFactorsBody } from '../../api/types';
import { CodeInput } from '../sign-in/code-input';
import { isCodeWrong, WRONG_CODE } from '../sign-in/second-factor-errors';
import { FormError } from '../ui/form-error';
import { SubmitButton } from '../ui/submit-button';
import classes from './account.module.css';
import { isPasswordWrong, WRONG_PASSWORD } from './own-errors';
import { PlainPasswordInput } from './plain-password-input';

interface BothFactorsFormProps {
  mutation: { isPending: boolean; error: Error | null };
  /** The consequence of the action, in a sentence. */
  text: string;
  submitLabel: string;
  onSubmit: (body: BothFactorsBody) => void;
  onCancel: () => void;
}

/** Asks for the password and a code before a protected action. */
export function BothFactorsForm({ mutation, text, submitLabel, onSubmit, onCancel }: BothFactorsFormProps) {
  const { isPending, error } = mutation;
  const [values, setValues] = useState({ currentPassword: '', code: '' });
  const [errors, setErrors] = useState<{ currentPassword?: string; code?: string }>({});
  const password = useRef<HTMLInputElement>(null);
  const code = useRef<HTMLInputElement>(null);

  useEffect(() => password.current?.focus(), []);
  useEffect(() => {
    if (isPasswordWrong(error)) {
      setErrors({ currentPassword: WRONG_PASSWORD });
      password.current?.focus();
    } else if (isCodeWrong(error)) {
      setErrors({ code: WRONG_CODE });
      code.current?.focus();
    }
  }, [error]);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (isPending) {
      return;
    }
    const found = {
      ...(values.currentPassword === '' ? { currentPassword: 'Enter your current password' } : {}),
      ...(values.code.trim() === '' ? { code: 'Enter the code' } : {}),
    };
    setErrors(found);
    if (found.currentPassword || found.code) {
      (found.currentPassword ? password : code).current?.focus();
      return;
    }
    onSubmit(values);
  }

  function handleChange(name: 'currentPassword' | 'code', value: string) {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors(({ [name]: _, ...others }) => others);
  }

  const failure = error && !isPasswordWrong(error) && !isCodeWrong(error) ? error : null;
  return (
    <form className={classes.form} noValidate onSubmit={handleSubmit}>
      <p className={classes.text}>{text}</p>
      <FormError message={failure ? formErrorOf(failure, 'This did not work', values) : null} />
      <PlainPasswordInput
        ref={password}
        label="Your password"
        autoComplete="current-password"
        size="sm"
        value={values.currentPassword}
        error={errors.currentPassword}
        onChange={(value) => handleChange('currentPassword', value)}
      />
      <CodeInput
        ref={code}
        value={values.code}
        error={errors.code ?? null}
        onChange={(value) => handleChange('code', value)}
      />
      <Group gap="xs">
        <SubmitButton isBusy={isPending} busyLabel="Checking...">
          {submitLabel}
        </SubmitButton>
        {/* The response may have the recovery codes, which are shown once. */}
        <Button variant="default" disabled={isPending} onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
