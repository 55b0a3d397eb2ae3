import { useQuery } from '@tanstack/react-query';
import type { Meeting } from '../../api/types';
import { leftUndoneWords } from '../../shared/meeting/left-undone';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { toast } from '../../shared/ui/toast';
import { roundQueries } from '../control/queries';
import { useEndMeeting } from './mutations';

interface EndMeetingDialogProps {
  meeting: Meeting | null;
  opened: boolean;
  onClose: () => void;
}

export function EndMeetingDialog({ meeting, opened, onClose }: EndMeetingDialogProps) {
  const endMeeting = useEndMeeting();
  const rounds = useQuery({
    ...roundQueries.ofMeeting(meeting?.id ?? ''),
    enabled: opened && meeting !== null,
    staleTime: 0,
  });
  const undone = meeting && rounds.data ? leftUndoneWords(meeting.questionCount, rounds.data) : null;
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
      <p>
        “{meeting?.title}” ends for everyone. Voting that is still open closes with the votes received so far.
      </p>
      {undone === null ? null : <p>{undone}</p>}
    </ConfirmDialog>
  );
}
