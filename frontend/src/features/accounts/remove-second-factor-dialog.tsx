import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import type { Account } from '../../api/types';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { toast } from '../../shared/ui/toast';

interface RemoveSecondFactorDialogProps {
  account: Account | null;
  opened: boolean;
  onClose: () => void;
}

/** For an administrator who lost the phone and the recovery codes. */
export function RemoveSecondFactorDialog({ account, opened, onClose }: RemoveSecondFactorDialogProps) {
  const remove = useMutation({
    mutationFn: (accountId: string) =>
      unwrap(api.DELETE('/accounts/{accountId}/second-factor', { params: { path: { accountId } } })),
    onError: (error) => toast.error(messageOf(error, 'Failed to remove the second factor')),
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Remove the second factor?"
      subject={account?.email}
      confirmLabel="Remove second factor"
      isDangerous
      onConfirm={async () => {
        await remove.mutateAsync(account?.id ?? '');
        toast.success('The second factor is removed, and they are signed out everywhere');
      }}
    >
      <p>
        Do this for somebody who has lost their phone and their recovery codes, and only when you are sure who
        asks. They are signed out everywhere, and sign in by their password alone.
      </p>
    </ConfirmDialog>
  );
}
