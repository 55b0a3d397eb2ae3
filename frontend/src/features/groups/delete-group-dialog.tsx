import type { UserGroup } from '../../api/types';
import { countOf } from '../../shared/format';
import { DeleteDialog } from '../../shared/ui/delete-dialog';
import { useDeleteGroup } from './mutations';

interface DeleteGroupDialogProps {
  group: UserGroup | null;
  opened: boolean;
  onClose: () => void;
}

export function DeleteGroupDialog({ group, opened, onClose }: DeleteGroupDialogProps) {
  const deleteGroup = useDeleteGroup();
  return (
    <DeleteDialog
      opened={opened}
      onClose={onClose}
      kind="group"
      confirmLabel={`Delete ${group?.name ?? ''}`}
      onDelete={() => deleteGroup.mutateAsync(group?.id ?? '')}
      successMessage="Group deleted"
    >
      <p>
        The group “{group?.name}” has {countOf(group?.members ?? 0, 'member')}. They stay end users of your
        organization.
      </p>
      <p>A group that a meeting or a question is for cannot be deleted. Results keep its name.</p>
    </DeleteDialog>
  );
}
