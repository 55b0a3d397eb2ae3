import { useState } from 'react';
import type { EndUser } from '../../api/types';
import { downloadText } from '../../shared/download';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { PasswordReason, useReasonRequest } from '../../shared/ui/password-reason';
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
  const [reason, setReason] = useState('');
  const { request, forget } = useReasonRequest(exportCredentials.error);

  function handleClose() {
    setReason('');
    exportCredentials.reset();
    forget();
    onClose();
  }

  return (
    <ConfirmDialog
      opened={opened}
      onClose={handleClose}
      title="Export credentials?"
      confirmLabel="Set new password and export"
      onConfirm={async () => {
        const order = { endUserId: endUser?.id ?? '', passwordReason: reason.trim() };
        const { data } = await exportCredentials.mutateAsync(order);
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
      {request === null ? null : <PasswordReason request={request} value={reason} onChange={setReason} />}
    </ConfirmDialog>
  );
}
