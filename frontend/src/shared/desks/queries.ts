import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';

/** The links for helpers of a meeting. */
export const deskQueries = {
  ofMeeting: (meetingId: string) =>
    queryOptions({
      queryKey: ['desks', meetingId],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/client/meetings/{meetingId}/desks', { params: { path: { meetingId } }, signal })),
      select: (body) => body.data,
    }),
};
