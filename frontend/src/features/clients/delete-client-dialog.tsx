import type { Client } from '../../api/types';
import { countOf } from '../../shared/format';
import { DeleteDialog } from '../../shared/ui/delete-dialog';
import { ArchivesFirst } from './archives-first';
import { useDeleteClient } from './mutations';

interface DeleteClientDialogProps {
  client: Client | null;
  opened: boolean;
  onClose: () => void;
}

export function DeleteClientDialog({ client, opened, onClose }: DeleteClientDialogProps) {
  const deleteClient = useDeleteClient();
  return (
    <DeleteDialog
      opened={opened}
      onClose={onClose}
      kind="client"
      confirmLabel={`Delete ${client?.name ?? ''}`}
      nameToType={client?.name}
      onDelete={() => deleteClient.mutateAsync(client?.id ?? '')}
      successMessage="Client deleted successfully"
    >
      <p>Are you sure you want to delete this client? This action cannot be undone.</p>
      {client ? <p>{whatGoes(client)}</p> : null}
      {client && opened && client._count.meetings > 0 ? <ArchivesFirst clientId={client.id} /> : null}
    </DeleteDialog>
  );
}

function whatGoes({ name, _count: { users, endUsers, meetings } }: Client): string {
  const has = `“${name}” has ${countOf(users, 'administrator')}, ${countOf(endUsers, 'end user')} and ${countOf(meetings, 'meeting')}.`;
  return meetings > 0
    ? `${has} All of it is deleted, votes included, and a meeting that is running ends at once.`
    : `${has} All of it is deleted.`;
}
