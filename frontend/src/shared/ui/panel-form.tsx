import { Button, SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type FormEvent, type ReactNode, use, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
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
  /** What the form makes, as it is typed: beside the panel, or behind a tab where there is no room. */
  preview?: ReactNode;
  children: ReactNode;
}

/** The content of a `FormPanel`: fields that scroll, buttons that stay. */
export function PanelForm(props: PanelFormProps) {
  const { onSubmit, submitLabel, busyLabel, isBusy, isDirty, error, preview, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const isSubmitting = useRef(false);
  const { requestClose, reportDirty, beside } = use(PanelContext);
  const isNarrow = useMediaQuery('(max-width: 64em)', false, { getInitialValueInEffect: false });
  const [view, setView] = useState<'edit' | 'preview'>('edit');
  const hasTabs = preview !== undefined && isNarrow;
  const isPreviewShown = hasTabs && view === 'preview';

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
        // A field that is hidden behind the preview could not be focused.
        flushSync(() => setView('edit'));
        onSubmit(event);
        focusFirstInvalid(event.currentTarget);
      }}
    >
      {hasTabs ? (
        <div className={classes.views}>
          <SegmentedControl
            fullWidth
            aria-label="View"
            value={view}
            onChange={(chosen) => setView(chosen === 'preview' ? 'preview' : 'edit')}
            data={[
              { value: 'edit', label: 'Edit' },
              { value: 'preview', label: 'Preview' },
            ]}
          />
        </div>
      ) : null}
      <div className={classes.fields} hidden={isPreviewShown}>
        {children}
      </div>
      {isPreviewShown ? <div className={classes.preview}>{preview}</div> : null}
      {!isNarrow && beside ? createPortal(preview, beside) : null}
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
