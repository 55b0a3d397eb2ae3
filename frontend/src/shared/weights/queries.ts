import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';

export const weightKindQueries = {
  all: () => ['weight-kinds'] as const,
  /** With the sums of everybody's values. */
  list: () =>
    queryOptions({
      queryKey: [...weightKindQueries.all(), 'list'],
      queryFn: ({ signal }) => unwrap(api.GET('/client/weight-kinds', { signal })),
      select: (body) => body.data,
    }),
  /** The id of the kind that a meeting counts. It is fetched again when a meeting is changed. */
  ofMeeting: (meetingId: string) =>
    queryOptions({
      queryKey: ['meetings', 'weight-kind', meetingId] as const,
      queryFn: ({ signal }) =>
        unwrap(api.GET('/client/meetings/{meetingId}', { params: { path: { meetingId } }, signal })),
      select: (meeting) => meeting.weightKindId,
    }),
};
