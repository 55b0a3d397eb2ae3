import type { EndUser } from '../../api/types';
import { DeleteDialog } from '../../shared/ui/delete-dialog';
import { useDeleteEndUser } from './mutations';

interface DeleteEndUserDialogProps {
  endUser: EndUser | null;
  opened: boolean;
  onClose: () => void;
}

export function DeleteEndUserDialog({ endUser, opened, onClose }: DeleteEndUserDialogProps) {
  const deleteEndUser = useDeleteEndUser();
  return (
    <DeleteDialog
      opened={opened}
      onClose={onClose}
      kind="end user"
      confirmLabel={`Delete ${endUser?.name ?? ''}`}
      onDelete={() => deleteEndUser.mutateAsync(endUser?.id ?? '')}
      successMessage="End user deleted successfully!"
    >
      <p>Are you sure you want to delete end user "{endUser?.username}"? This action cannot be undone.</p>
      <p>Votes already cast stay and count.</p>
    </DeleteDialog>
  );
}
