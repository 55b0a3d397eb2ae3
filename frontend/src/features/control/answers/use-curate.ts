import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../api/client';
import type { CurateAnswersBody } from '../../../api/types';
import { settledSoon } from '../../../shared/reload';
import { toast } from '../../../shared/ui/toast';
import { answerQueries } from './queries';

/** Replaces the curation. After a failure, such as a change by another organizer, it is loaded again. */
export function useCurate(meetingId: string, roundId: string) {
  const queryClient = useQueryClient();
  const { queryKey } = answerQueries.curation(meetingId, roundId);
  return useMutation({
    mutationFn: (body: CurateAnswersBody) =>
      unwrap(
        api.PUT('/client/meetings/{meetingId}/rounds/{roundId}/answer-curation', {
          params: { path: { meetingId, roundId } },
          body,
        }),
      ),
    onSuccess: (curation) => queryClient.setQueryData(queryKey, curation),
    onError: (error) => {
      toast.failure(error, 'Failed to change the answers on the presentation');
      return settledSoon(queryClient.invalidateQueries({ queryKey }));
    },
    // Not awaited: the next change can begin as soon as this one is shown, and need not wait for the lists.
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: answerQueries.lists(meetingId, roundId) });
    },
  });
}
