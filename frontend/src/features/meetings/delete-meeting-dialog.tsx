import type { Meeting } from '../../api/types';
import { countOf } from '../../shared/format';
import { ExportFirst } from '../../shared/result/export-first';
import { DeleteDialog } from '../../shared/ui/delete-dialog';
import { meetingCan } from './meeting-can';
import { useDeleteMeeting } from './mutations';

interface DeleteMeetingDialogProps {
  meeting: Meeting | null;
  opened: boolean;
  onClose: () => void;
}

export function DeleteMeetingDialog({ meeting, opened, onClose }: DeleteMeetingDialogProps) {
  const deleteMeeting = useDeleteMeeting();
  const hasResults = meeting !== null && meeting.questionCount > 0 && meetingCan.haveResults(meeting);
  return (
    <DeleteDialog
      opened={opened}
      onClose={onClose}
      kind="meeting"
      subject={meeting?.title}
      confirmLabel="Delete Meeting"
      nameToType={hasResults ? meeting.title : undefined}
      onDelete={() => deleteMeeting.mutateAsync(meeting?.id ?? '')}
      successMessage="Meeting deleted successfully"
    >
      <p>Are you sure you want to delete the meeting? This action cannot be undone.</p>
      {meeting && meeting.questionCount > 0 ? (
        <p>
          {countOf(meeting.questionCount, 'question')} and all votes on{' '}
          {meeting.questionCount === 1 ? 'it' : 'them'} will also be deleted.
        </p>
      ) : null}
      {hasResults ? <ExportFirst meetingId={meeting.id} /> : null}
    </DeleteDialog>
  );
}
