import type { ReactNode } from 'react';
import { ConfirmDialog } from './confirm-dialog';
import { toast } from './toast';

interface DeleteDialogProps {
  opened: boolean;
  onClose: () => void;
  /** The kind of thing, as in "Delete this client?". */
  kind: string;
  subject?: string | undefined;
  confirmLabel: string;
  /** A name to type first, if everything that belongs to it is deleted too. */
  nameToType?: string | undefined;
  /** Reports its own errors. The dialog stays open then. */
  onDelete: () => Promise<unknown>;
  successMessage: string;
  /** The data that are deleted, in sentences. */
  children: ReactNode;
}

/** Asks before a permanent deletion, and reports the deletion. */
export function DeleteDialog({ kind, onDelete, successMessage, ...props }: DeleteDialogProps) {
  return (
    <ConfirmDialog
      {...props}
      title={`Delete this ${kind}?`}
      isDangerous
      onConfirm={async () => {
        await onDelete();
        toast.success(successMessage);
      }}
    />
  );
}
