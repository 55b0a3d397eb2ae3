import type { EndUser } from '../../api/types';
import { downloadText } from '../../shared/download';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { toast } from '../../shared/ui/toast';
import { credentialsFile } from './credentials-file';
import { useExportCredentials } from './mutations';

interface ExportCredentialsDialogProps {
  endUser: EndUser | null;
  opened: boolean;
  onClose: () => void;
}

/** Announces that an export sets a new password, because the stored one cannot be read. */
export function ExportCredentialsDialog({ endUser, opened, onClose }: ExportCredentialsDialogProps) {
  const exportCredentials = useExportCredentials();
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Export credentials?"
      confirmLabel="Set new password and export"
      onConfirm={async () => {
        const { data } = await exportCredentials.mutateAsync(endUser?.id ?? '');
        const file = credentialsFile(data, new Date());
        downloadText(file.name, file.text);
        toast.success('Credentials exported successfully!');
      }}
    >
      <p>
        The stored password of “{endUser?.name}” cannot be read. A new one is set and written into the file;
        the old one stops working.
      </p>
      <p>This person is signed out everywhere, also in a meeting that is running.</p>
    </ConfirmDialog>
  );
}
