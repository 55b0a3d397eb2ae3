import type { Meeting } from '../../api/types';
import { countOf } from '../../shared/format';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { toast } from '../../shared/ui/toast';
import classes from './delete-meeting-dialog.module.css';
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
      confirmLabel="Delete Meeting"
      isDangerous
      onConfirm={async () => {
        await deleteMeeting.mutateAsync(meeting?.id ?? '');
        toast.success('Meeting deleted successfully');
      }}
    >
      <p className={classes.title}>“{meeting?.title}”</p>
      <p className={classes.text}>
        Are you sure you want to delete the meeting? This action cannot be undone.
      </p>
      {meeting && meeting.questionCount > 0 ? (
        <p className={classes.text}>
          What goes with it: {countOf(meeting.questionCount, 'question')} and the votes on them.
        </p>
      ) : null}
    </ConfirmDialog>
  );
}
