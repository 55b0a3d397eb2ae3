import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap, unwrapNothing } from '../../api/client';
import { reloadAfterAttempt } from '../../shared/reload';
import { toast } from '../../shared/ui/toast';
import { readinessQueries } from './queries';

const ofMeeting = (meetingId: string) => ({ params: { path: { meetingId } } });

/** Pending until the screen shows the change. */
function useRehearsalStep<Answer>(meetingId: string, step: () => Promise<Answer>, failed: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: step,
    onError: (error) => toast.failure(error, failed),
    onSettled: reloadAfterAttempt(() =>
      queryClient.invalidateQueries({ queryKey: readinessQueries.all(meetingId) }),
    ),
  });
}

export function useStartRehearsal(meetingId: string) {
  return useRehearsalStep(
    meetingId,
    () => unwrap(api.POST('/client/meetings/{meetingId}/rehearsal', ofMeeting(meetingId))),
    'Failed to start the rehearsal',
  );
}

export function useEndRehearsal(meetingId: string) {
  return useRehearsalStep(
    meetingId,
    () => unwrap(api.POST('/client/meetings/{meetingId}/rehearsal/end', ofMeeting(meetingId))),
    'Failed to end the rehearsal',
  );
}

export function useDiscardRehearsal(meetingId: string) {
  return useRehearsalStep(
    meetingId,
    () => unwrapNothing(api.DELETE('/client/meetings/{meetingId}/rehearsal', ofMeeting(meetingId))),
    'Failed to discard the rehearsal',
  );
}
