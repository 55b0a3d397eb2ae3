import type { EndUser } from '../../api/types';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { toast } from '../../shared/ui/toast';
import { useEraseEndUser } from './mutations';

interface EraseEndUserDialogProps {
  endUser: EndUser | null;
  opened: boolean;
  onClose: () => void;
}

/** Says what goes, what stays and until when, before somebody's personal data is erased. */
export function EraseEndUserDialog({ endUser, opened, onClose }: EraseEndUserDialogProps) {
  const erase = useEraseEndUser();
  const username = endUser?.username ?? '';
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Erase personal data?"
      subject={endUser?.name}
      confirmLabel={`Erase ${endUser?.name ?? ''}`}
      nameToType={username}
      isDangerous
      onConfirm={async () => {
        await erase.mutateAsync({ endUserId: endUser?.id ?? '', username });
        toast.success('Personal data erased');
      }}
    >
      <p>
        Name, username, email and postal address are replaced by “Erased person”, and sessions and invitations
        are removed. The person can never sign in again. This action cannot be undone.
      </p>
      <p>
        Votes stay and count. Registers and signed records of results keep the name, and so does the audit log
        in its earlier entries, until they are purged at the end of their retention time.
      </p>
    </ConfirmDialog>
  );
}
