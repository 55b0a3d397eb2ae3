import type { WeightKind } from '../../api/types';
import { DeleteDialog } from '../../shared/ui/delete-dialog';
import { useDeleteWeightKind } from './mutations';

interface DeleteWeightKindDialogProps {
  kind: WeightKind | null;
  opened: boolean;
  onClose: () => void;
}

export function DeleteWeightKindDialog({ kind, opened, onClose }: DeleteWeightKindDialogProps) {
  const deleteWeightKind = useDeleteWeightKind();
  return (
    <DeleteDialog
      opened={opened}
      onClose={onClose}
      kind="kind of weight"
      confirmLabel={`Delete ${kind?.name ?? ''}`}
      onDelete={() => deleteWeightKind.mutateAsync(kind?.id ?? '')}
      successMessage="Kind of weight deleted"
    >
      <p>The values of “{kind?.name}” are deleted from all end users.</p>
      <p>
        A kind that a meeting or a question counts by cannot be deleted. Results keep its name and its sums.
      </p>
    </DeleteDialog>
  );
}
