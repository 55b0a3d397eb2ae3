import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { PAGE_SIZE, toPage } from '../../api/page';
import type { EndUser, Meeting, MeetingStatus, Participant } from '../../api/types';
import type { ListSort } from '../../shared/list/use-list-state';
import { endUserQueries } from '../end-users/queries';

export interface MeetingFilters {
  search?: string;
  status?: MeetingStatus;
  sort?: ListSort;
  page: number;
}

/** The number of people that the checklist loads at once; the search and "Show more" find the others. */
const CHOICES_AT_ONCE = 100;

/** The largest page of the API. */
const PARTICIPANTS_AT_ONCE = 200;

/**
 * Loads all participants in pages, because there may be thousands. Also those in none of the meeting's groups: they are on its
 * list, and take part when its groups change.
 */
async function allParticipants(meetingId: string, signal: AbortSignal): Promise<Participant[]> {
  const participants = new Map<string, Participant>();
  for (let page = 1; ; page += 1) {
    const params = {
      path: { meetingId },
      query: { outsideGroups: true, page, pageSize: PARTICIPANTS_AT_ONCE },
    };
    const answer = await unwrap(api.GET('/client/meetings/{meetingId}/participants', { params, signal }));
    const { rows, total } = toPage<Participant>(answer);
    // People added or removed meanwhile move others to another page.
    for (const row of rows) {
      participants.set(row.endUser.id, row);
    }
    if (rows.length === 0 || page * PARTICIPANTS_AT_ONCE >= total) {
      return [...participants.values()];
    }
  }
}

/** Everything cached about meetings: keys to invalidate by, options to read with. */
export const meetingQueries = {
  all: () => ['meetings'] as const,
  lists: () => [...meetingQueries.all(), 'list'] as const,
  list: (filters: MeetingFilters) =>
    queryOptions({
      queryKey: [...meetingQueries.lists(), filters],
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
  participants: (meetingId: string) =>
    queryOptions({
      queryKey: [...meetingQueries.all(), 'participants', meetingId],
      queryFn: ({ signal }) => allParticipants(meetingId, signal),
    }),
  /** The people who can be invited, by name, in pages. */
  choices: (search: string) =>
    infiniteQueryOptions({
      queryKey: [...endUserQueries.all(), 'choices', search] as const,
      queryFn: async ({ pageParam, signal }) => {
        const query = {
          page: pageParam,
          pageSize: CHOICES_AT_ONCE,
          sort: 'name' as const,
          ...(search ? { search } : {}),
        };
        return toPage<EndUser>(await unwrap(api.GET('/client/end-users', { params: { query }, signal })));
      },
      initialPageParam: 1,
      getNextPageParam: (last, pages) =>
        last.rows.length > 0 && pages.reduce((sum, { rows }) => sum + rows.length, 0) < last.total
          ? pages.length + 1
          : undefined,
      placeholderData: keepPreviousData,
    }),
};
