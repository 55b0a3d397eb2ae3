import type { Meeting } from '../../api/types';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { toast } from '../../shared/ui/toast';
import { useEndMeeting } from './mutations';

interface EndMeetingDialogProps {
  meeting: Meeting | null;
  opened: boolean;
  onClose: () => void;
}

export function EndMeetingDialog({ meeting, opened, onClose }: EndMeetingDialogProps) {
  const endMeeting = useEndMeeting();
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="End this meeting?"
      confirmLabel="End Meeting"
      isDangerous
      onConfirm={async () => {
        await endMeeting.mutateAsync(meeting?.id ?? '');
        toast.success('Meeting ended successfully');
      }}
    >
      “{meeting?.title}” ends for everyone. Voting that is still open closes with the votes received so far.
    </ConfirmDialog>
  );
}
