import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { focusFirstInvalid } from '../focus-first-invalid';
import { FormError } from './form-error';
import classes from './form-panel.module.css';
import { SubmitButton } from './submit-button';

interface PanelFormProps {
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  onCancel: () => void;
  submitLabel: string;
  busyLabel: string;
  isBusy: boolean;
  /** What is wrong with the form as a whole. */
  error: string | null;
  children: ReactNode;
}

/** The inside of a `FormPanel`: fields that scroll, buttons that stay. */
export function PanelForm(props: PanelFormProps) {
  const { onSubmit, onCancel, submitLabel, busyLabel, isBusy, error, children } = props;
  const form = useRef<HTMLFormElement>(null);

  // What the server refused is marked only now: the keyboard goes there as it does after the form's own check.
  useEffect(() => {
    if (error && form.current) {
      focusFirstInvalid(form.current);
    }
  }, [error]);

  return (
    <form
      ref={form}
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        if (isBusy) {
          event.preventDefault();
        } else {
          onSubmit(event);
          focusFirstInvalid(event.currentTarget);
        }
      }}
    >
      <div className={classes.fields}>{children}</div>
      <div className={classes.footer}>
        <FormError message={error} />
        <div className={classes.actions}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <SubmitButton isBusy={isBusy} busyLabel={busyLabel}>
            {submitLabel}
          </SubmitButton>
        </div>
      </div>
    </form>
  );
}
