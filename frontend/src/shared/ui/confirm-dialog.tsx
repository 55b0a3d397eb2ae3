import { Button, Group, Modal, Text } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { useFocusKept } from '../use-focus-kept';
import classes from './confirm-dialog.module.css';
import dialogHead from './dialog-head.module.css';

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  /** What it is about, where the sentence does not name it. */
  subject?: string | undefined;
  /** What will happen, in a sentence. */
  children: ReactNode;
  /** Names what the button does and to what ("End meeting"). */
  confirmLabel: string;
  cancelLabel?: string;
  isDangerous?: boolean;
  /** Says what went wrong itself (a toast); the dialog only stays open then. */
  onConfirm: () => unknown;
  onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, subject, children, confirmLabel, cancelLabel, isDangerous, onConfirm, onClose } =
    props;
  const [isPending, setIsPending] = useState(false);
  const returnFocus = useFocusKept(opened);
  // Which opening it is: what was confirmed in an earlier one closes this one no more.
  const opening = useRef(0);

  function handleClose() {
    opening.current += 1;
    setIsPending(false);
    onClose();
  }

  async function handleConfirm() {
    if (isPending) {
      return;
    }
    const confirmed = opening.current;
    setIsPending(true);
    try {
      await onConfirm();
      if (confirmed === opening.current) {
        handleClose();
      }
    } catch {
      // Told by the caller; the dialog stays for another try.
      if (confirmed === opening.current) {
        setIsPending(false);
      }
    }
  }

  return (
    <Modal.Root opened={opened} onClose={handleClose} size="sm" onExitTransitionEnd={returnFocus}>
      <Modal.Overlay />
      <Modal.Content>
        <div className={dialogHead.root}>
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <Modal.Body px="lg" pb="lg">
          <Text component="div" className={classes.text}>
            {subject === undefined ? null : <p className={classes.subject}>“{subject}”</p>}
            {children}
          </Text>
          <Group justify="flex-end" gap="xs" mt="lg">
            <Button variant="default" onClick={handleClose} data-autofocus>
              {cancelLabel ?? 'Cancel'}
            </Button>
            {/* Not disabled while it works: that would take the focus from it. */}
            <Button
              color={isDangerous ? 'var(--plenum-danger)' : undefined}
              variant={isDangerous ? 'outline' : 'filled'}
              aria-disabled={isPending || undefined}
              data-busy={isPending || undefined}
              className={classes.confirm}
              onClick={handleConfirm}
            >
              {confirmLabel}
            </Button>
          </Group>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
