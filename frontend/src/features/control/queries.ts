import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { Round } from '../../api/types';

/** What was voted in a meeting: its rounds, and the tally of each that has ended. */
export const roundQueries = {
  ofMeeting: (meetingId: string) =>
    queryOptions({
      queryKey: ['rounds', meetingId],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/client/meetings/{meetingId}/rounds', { params: { path: { meetingId } }, signal })),
    }),
  /** A round that is opened again and ended again has another end, and so another entry. */
  result: (meetingId: string, { id: roundId, endedAt }: Pick<Round, 'id' | 'endedAt'>) =>
    queryOptions({
      queryKey: ['rounds', meetingId, 'result', roundId, endedAt],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings/{meetingId}/rounds/{roundId}/result', {
            params: { path: { meetingId, roundId } },
            signal,
          }),
        ),
      staleTime: Number.POSITIVE_INFINITY,
    }),
};
