import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { resultQueries } from '../result/queries';

/** The remarks for the minutes, the earliest first. */
export const remarkQueries = {
  ofMeeting: (meetingId: string) =>
    queryOptions({
      queryKey: [...resultQueries.all(meetingId), 'remarks'],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/client/meetings/{meetingId}/remarks', { params: { path: { meetingId } }, signal })),
    }),
};
