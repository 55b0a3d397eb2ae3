import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../../api/client';
import { PAGE_SIZE } from '../../../api/page';
import type { components } from '../../../api/schema';

export type Attendee = components['schemas']['Attendee'];

export interface AttendanceFilters {
  search: string;
  presence: '' | 'present' | 'absent';
  page: number;
}

/** Who is checked in. */
export const checkInQueries = {
  all: (meetingId: string) => ['check-in', meetingId] as const,
  people: (meetingId: string, { search, presence, page }: AttendanceFilters) =>
    queryOptions({
      queryKey: [...checkInQueries.all(meetingId), 'people', { search, presence, page }],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings/{meetingId}/attendance', {
            params: {
              path: { meetingId },
              query: { search, page, pageSize: PAGE_SIZE, ...(presence === '' ? {} : { presence }) },
            },
            signal,
          }),
        ),
      placeholderData: keepPreviousData,
    }),
};
