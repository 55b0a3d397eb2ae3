import type { Meeting } from '../../api/types';
import { countOf } from '../../shared/format';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { toast } from '../../shared/ui/toast';
import { useDeleteMeeting } from './mutations';

interface DeleteMeetingDialogProps {
  meeting: Meeting | null;
  opened: boolean;
  onClose: () => void;
}

export function DeleteMeetingDialog({ meeting, opened, onClose }: DeleteMeetingDialogProps) {
  const deleteMeeting = useDeleteMeeting();
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Delete this meeting?"
      subject={meeting?.title}
      confirmLabel="Delete Meeting"
      isDangerous
      onConfirm={async () => {
        await deleteMeeting.mutateAsync(meeting?.id ?? '');
        toast.success('Meeting deleted successfully');
      }}
    >
      <p>Are you sure you want to delete the meeting? This action cannot be undone.</p>
      {meeting && meeting.questionCount > 0 ? (
        <p>
          {countOf(meeting.questionCount, 'question')} and all votes on{' '}
          {meeting.questionCount === 1 ? 'it' : 'them'} will also be deleted.
        </p>
      ) : null}
    </ConfirmDialog>
  );
}
