import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { type ReactNode, type RefObject, use, useEffect, useRef, useState } from 'react';
import { useFocusKept } from '../use-focus-kept';
import classes from './confirm-dialog.module.css';
import dialogHead from './dialog-head.module.css';
import { PanelContext } from './panel-context';

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  /** The subject, if the sentence does not name it. */
  subject?: string | undefined;
  /** The effect, in a sentence. */
  children: ReactNode;
  /** Names the action and its object ("End meeting"). */
  confirmLabel: string;
  cancelLabel?: string;
  /** A name to type first, for actions that cannot be undone and delete everything. */
  nameToType?: string | undefined;
  isDangerous?: boolean;
  /** Has the focus afterwards if the opener is gone. By default, the top of the screen has it. */
  focusFallback?: RefObject<HTMLElement | null>;
  /** Reports its errors itself (in a toast); the dialog then stays open. */
  onConfirm: () => unknown;
  onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, subject, children, confirmLabel, cancelLabel, isDangerous } = props;
  const { nameToType, focusFallback, onConfirm, onClose } = props;
  const confirmation = useConfirmation(nameToType, onConfirm, onClose);
  const { isPending, isNamed, isOther, typed, setTyped, handleClose, handleConfirm } = confirmation;
  const returnFocus = useFocusKept(opened, focusFallback);

  const { reportDialog } = use(PanelContext);
  useEffect(() => {
    if (!opened) {
      return undefined;
    }
    // Otherwise, Escape would also be meant for the panel around.
    reportDialog(true);
    return () => reportDialog(false);
  }, [reportDialog, opened]);

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
          {nameToType === undefined ? null : (
            <TextInput
              mt="md"
              label={`Type “${nameToType}” to go on`}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              dir="auto"
              value={typed}
              error={
                isOther
                  ? `This differs from “${nameToType}”. Capital letters count; the kind of quotation mark or dash does not.`
                  : null
              }
              onChange={(event) => setTyped(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') {
                  void handleConfirm();
                }
              }}
            />
          )}
          <Group justify="flex-end" gap="xs" mt="lg">
            <Button variant="default" onClick={handleClose} data-autofocus>
              {cancelLabel ?? 'Cancel'}
            </Button>
            {/* Not disabled during the action: that would remove the focus from it. */}
            <Button
              color={isDangerous ? 'var(--plenum-danger)' : undefined}
              variant={isDangerous ? 'outline' : 'filled'}
              aria-disabled={isPending || undefined}
              data-busy={isPending || undefined}
              className={classes.confirm}
              disabled={!isNamed}
              // The second click of a double click on the opener, or on this button, is an accident.
              onClick={(event) => (event.detail > 1 ? undefined : handleConfirm())}
            >
              {confirmLabel}
            </Button>
          </Group>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** The typed name and the running action of a dialog. */
function useConfirmation(nameToType: string | undefined, onConfirm: () => unknown, onClose: () => void) {
  const [typed, setTyped] = useState('');
  const wanted = nameToType === undefined ? null : folded(nameToType);
  const isNamed = wanted === null || folded(typed) === wanted;
  /** The typed text is not the beginning of the name. */
  const isOther = wanted !== null && !wanted.startsWith(folded(typed));
  const [isPending, setIsPending] = useState(false);
  // Counts the openings: a confirmation of an earlier one does not close a later one.
  const opening = useRef(0);

  function handleClose() {
    opening.current += 1;
    setIsPending(false);
    setTyped('');
    onClose();
  }

  async function handleConfirm() {
    if (isPending || !isNamed) {
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
      // The caller reports the error; the dialog stays open for another try.
      if (confirmed === opening.current) {
        setIsPending(false);
      }
    }
  }

  return { isPending, isNamed, isOther, typed, setTyped, handleClose, handleConfirm };
}

/** Ignores what keyboards write differently: forms of Unicode, blanks, quotation marks, apostrophes and dashes. */
function folded(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[\u200B-\u200F\u2060\uFEFF\u00AD]/g, '')
    .replace(/[‘’‚‛ʼ′`´]/g, "'")
    .replace(/[“”„‟«»″]/g, '"')
    .replace(/[‐‑‒–—―−]/g, '-')
    .trim()
    .replace(/\s+/g, ' ');
}
