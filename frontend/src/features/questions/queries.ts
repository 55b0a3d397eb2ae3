import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';

/** Everything cached about questions: keys to invalidate by, options to read with. */
export const questionQueries = {
  all: () => ['questions'] as const,
  /** The agenda, in order. */
  ofMeeting: (meetingId: string) =>
    queryOptions({
      queryKey: [...questionQueries.all(), 'meeting', meetingId],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/client/questions/meeting/{meetingId}', { params: { path: { meetingId } }, signal })),
    }),
};
