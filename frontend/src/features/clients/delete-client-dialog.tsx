import type { Client } from '../../api/types';
import { countOf } from '../../shared/format';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { toast } from '../../shared/ui/toast';
import { useDeleteClient } from './mutations';

interface DeleteClientDialogProps {
  client: Client | null;
  opened: boolean;
  onClose: () => void;
}

export function DeleteClientDialog({ client, opened, onClose }: DeleteClientDialogProps) {
  const deleteClient = useDeleteClient();
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Delete this client?"
      confirmLabel={`Delete ${client?.name ?? ''}`}
      isDangerous
      nameToType={client?.name}
      onConfirm={async () => {
        await deleteClient.mutateAsync(client?.id ?? '');
        toast.success('Client deleted successfully');
      }}
    >
      <p>Are you sure you want to delete this client? This action cannot be undone.</p>
      {client ? <p>{whatGoes(client)}</p> : null}
    </ConfirmDialog>
  );
}

function whatGoes({ name, _count: { users, endUsers, meetings } }: Client): string {
  const has = `“${name}” has ${countOf(users, 'administrator')}, ${countOf(endUsers, 'end user')} and ${countOf(meetings, 'meeting')}.`;
  return meetings > 0
    ? `${has} All of it is deleted, votes included, and a meeting that is running ends at once.`
    : `${has} All of it is deleted.`;
}
