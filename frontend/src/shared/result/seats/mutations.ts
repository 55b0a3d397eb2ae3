import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../api/client';
import type { SeatAnswer } from '../../elections/election-types';
import { reloadAfterAttempt } from '../../reload';
import { toast } from '../../ui/toast';
import { resultQueries } from '../queries';

interface Noted {
  roundId: string;
  candidate: number;
  answer: SeatAnswer;
}

/** Notes whether an elected person accepts, or takes an answer back. */
export function useNoteSeatAnswer(meetingId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ roundId, ...body }: Noted) =>
      unwrap(
        api.POST('/client/meetings/{meetingId}/rounds/{roundId}/seat-answers', {
          params: { path: { meetingId, roundId } },
          body,
        }),
      ),
    onSuccess: (elections, { roundId, candidate }) => {
      queryClient.setQueryData(resultQueries.elections(meetingId).queryKey, elections);
      const noted = elections
        .flatMap(({ answers }) => answers)
        .filter((one) => one.roundId === roundId && one.candidate === candidate)
        .at(-1);
      if (noted) {
        toast.success(noted.words);
      }
    },
    onError: (error) => toast.failure(error, 'The answer could not be noted'),
    onSettled: reloadAfterAttempt(() =>
      queryClient.invalidateQueries({ queryKey: resultQueries.all(meetingId) }),
    ),
  });
}
