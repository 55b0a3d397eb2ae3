import type { EndUser } from '../../api/types';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { toast } from '../../shared/ui/toast';
import { useDeleteEndUser } from './mutations';

interface DeleteEndUserDialogProps {
  endUser: EndUser | null;
  opened: boolean;
  onClose: () => void;
}

export function DeleteEndUserDialog({ endUser, opened, onClose }: DeleteEndUserDialogProps) {
  const deleteEndUser = useDeleteEndUser();
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Delete this end user?"
      confirmLabel={`Delete ${endUser?.name ?? ''}`}
      isDangerous
      onConfirm={async () => {
        await deleteEndUser.mutateAsync(endUser?.id ?? '');
        toast.success('End user deleted successfully!');
      }}
    >
      <p>Are you sure you want to delete end user "{endUser?.username}"? This action cannot be undone.</p>
      <p>Votes already cast stay and count.</p>
    </ConfirmDialog>
  );
}
