import { Drawer } from '@mantine/core';
import { type ReactNode, use, useCallback, useMemo, useRef, useState } from 'react';
import { PersonContext } from '../../api/person-context';
import { useUnsavedWork } from '../unsaved-work';
import { useFocusKept } from '../use-focus-kept';
import dialogHead from './dialog-head.module.css';
import { DiscardGuard } from './discard-guard';
import classes from './form-panel.module.css';
import { PanelContext } from './panel-context';

interface FormPanelProps {
  opened: boolean;
  /** Closes without a question: the panel itself asks about unsaved changes. */
  onClose: () => void;
  title: string;
  /** The form has a preview. Wide screens show it beside the panel. */
  hasPreview?: boolean;
  /** A `PanelForm`. */
  children: ReactNode;
}

/**
 * A form with many fields: a panel from the right, the whole screen on phones. Every way to leave it with unsaved
 * changes asks first.
 */
export function FormPanel({ opened, onClose, title, hasPreview = false, children }: FormPanelProps) {
  const [isFormDirty, setIsFormDirty] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const isDirty = opened && isFormDirty;
  const returnFocus = useFocusKept(opened);
  if (isAsking && !isDirty) {
    // The form was saved meanwhile, so there is no question any more.
    setIsAsking(false);
  }

  useUnsavedWork(isDirty);

  // Updated immediately; the state is rendered a moment later.
  const isDirtyNow = useRef(false);
  const hasSomethingToLose = useCallback(() => isDirtyNow.current, []);
  const reportDirty = useCallback((isDirtyForm: boolean) => {
    isDirtyNow.current = isDirtyForm;
    setIsFormDirty(isDirtyForm);
  }, []);

  // A new sign-in covers the panel: Escape is not meant for the form.
  const isLocked = use(PersonContext) !== null;

  const latest = useRef(onClose);
  latest.current = onClose;
  const requestClose = useCallback(() => {
    if (isDirtyNow.current) {
      // After the key press: the same Escape would close the question again.
      window.setTimeout(() => setIsAsking(true));
    } else {
      latest.current();
    }
  }, []);
  const [beside, setBeside] = useState<HTMLElement | null>(null);
  const context = useMemo(() => ({ requestClose, reportDirty, beside }), [requestClose, reportDirty, beside]);

  return (
    <>
      <Drawer.Root
        opened={opened}
        onClose={requestClose}
        size="30rem"
        closeOnEscape={!isAsking && !isLocked}
        onExitTransitionEnd={returnFocus}
        classNames={{ content: classes.content, body: classes.body }}
      >
        <Drawer.Overlay />
        {/* Outside the dialog, because it is only to look at: screen readers and the keyboard stay in the form. */}
        {hasPreview && opened ? (
          <aside ref={setBeside} className={classes.beside} aria-label="Preview" />
        ) : null}
        <Drawer.Content>
          {/* Not Drawer.Header: that is a <header>, which screen readers treat as a second banner of the page. */}
          <div className={dialogHead.root}>
            <Drawer.Title>{title}</Drawer.Title>
            <Drawer.CloseButton aria-label="Close" />
          </div>
          <Drawer.Body>
            <PanelContext value={context}>{children}</PanelContext>
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      {opened ? (
        <DiscardGuard
          isDirty={hasSomethingToLose}
          isAsking={isAsking}
          onAsk={setIsAsking}
          onDiscard={onClose}
        />
      ) : null}
    </>
  );
}
