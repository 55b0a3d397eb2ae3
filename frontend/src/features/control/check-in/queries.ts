import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../../api/client';
import { PAGE_SIZE } from '../../../api/page';
import type { components } from '../../../api/schema';

export type Attendee = components['schemas']['Attendee'];
export type Desk = components['schemas']['Desk'];

export interface AttendanceFilters {
  search: string;
  presence: '' | 'present' | 'absent';
  page: number;
}

/** Who is checked in, and the desks. */
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
  desks: (meetingId: string) =>
    queryOptions({
      queryKey: [...checkInQueries.all(meetingId), 'desks'],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/client/meetings/{meetingId}/desks', { params: { path: { meetingId } }, signal })),
      select: (body) => body.data,
    }),
};
