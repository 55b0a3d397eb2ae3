import { Button, Group, Modal, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import dialogHead from './dialog-head.module.css';

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  /** What will happen, in a sentence. */
  children: ReactNode;
  /** Names what the button does and to what ("End meeting"). */
  confirmLabel: string;
  isDangerous?: boolean;
  /** Says what went wrong itself (a toast); the dialog only stays open then. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, children, confirmLabel, isDangerous, onConfirm, onClose } = props;
  const [isPending, setIsPending] = useState(false);

  async function handleConfirm() {
    setIsPending(true);
    try {
      await onConfirm();
      onClose();
    } catch {
      // Told by the caller; the dialog stays for another try.
    } finally {
      setIsPending(false);
    }
  }

  return (
    <Modal.Root opened={opened} onClose={onClose} size="sm">
      <Modal.Overlay />
      <Modal.Content>
        <div className={dialogHead.root}>
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <Modal.Body px="lg" pb="lg">
          <Text>{children}</Text>
          <Group justify="flex-end" gap="xs" mt="lg">
            <Button variant="default" onClick={onClose} data-autofocus>
              Cancel
            </Button>
            <Button
              color={isDangerous ? 'var(--plenum-danger)' : undefined}
              variant={isDangerous ? 'outline' : 'filled'}
              loading={isPending}
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
