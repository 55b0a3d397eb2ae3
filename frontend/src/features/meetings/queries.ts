import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { PAGE_SIZE, toPage } from '../../api/page';
import type { Meeting, MeetingStatus } from '../../api/types';

export interface MeetingFilters {
  search?: string;
  status?: MeetingStatus;
  page: number;
}

/** Everything cached about meetings: keys to invalidate by, options to read with. */
export const meetingQueries = {
  all: () => ['meetings'] as const,
  list: (filters: MeetingFilters) =>
    queryOptions({
      queryKey: [...meetingQueries.all(), 'list', filters],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings', { params: { query: { ...filters, pageSize: PAGE_SIZE } }, signal }),
        ),
      select: (body) => toPage<Meeting>(body),
      placeholderData: keepPreviousData,
    }),
  detail: (meetingId: string) =>
    queryOptions({
      queryKey: [...meetingQueries.all(), 'detail', meetingId],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/client/meetings/{meetingId}', { params: { path: { meetingId } }, signal })),
    }),
};
