import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, use, useEffect, useLayoutEffect, useRef } from 'react';
import { focusFirstInvalid } from '../focus-first-invalid';
import { FormError } from './form-error';
import classes from './form-panel.module.css';
import { PanelContext } from './panel-context';
import { SubmitButton } from './submit-button';

interface PanelFormProps {
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  submitLabel: string;
  busyLabel: string;
  isBusy: boolean;
  /** Whether there are unsaved changes: `form.isDirty()`. */
  isDirty: boolean;
  /** The error of the form as a whole. */
  error: string | null;
  children: ReactNode;
}

/** The content of a `FormPanel`: fields that scroll, buttons that stay. */
export function PanelForm(props: PanelFormProps) {
  const { onSubmit, submitLabel, busyLabel, isBusy, isDirty, error, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const isSubmitting = useRef(false);
  const { requestClose, reportDirty } = use(PanelContext);

  // The server's refusal marks its fields only now. The focus moves there, as after the form's own check.
  useEffect(() => {
    if (error && form.current) {
      focusFirstInvalid(form.current);
    }
  }, [error]);

  // Before the next browser event, which may be "back".
  useLayoutEffect(() => {
    reportDirty(isDirty);
    return () => reportDirty(false);
  }, [reportDirty, isDirty]);

  return (
    <form
      ref={form}
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        if (isBusy || isSubmitting.current) {
          event.preventDefault();
          return;
        }
        // The busy state is set a moment later, and a double click may be faster.
        isSubmitting.current = true;
        window.setTimeout(() => {
          isSubmitting.current = false;
        });
        onSubmit(event);
        focusFirstInvalid(event.currentTarget);
      }}
    >
      <div className={classes.fields}>{children}</div>
      <div className={classes.footer}>
        <FormError message={error} />
        <div className={classes.actions}>
          <Button variant="default" onClick={requestClose}>
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
