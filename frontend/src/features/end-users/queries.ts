import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { PAGE_SIZE, toPage } from '../../api/page';
import { groupQueries } from '../../shared/groups/queries';
import type { ListSort } from '../../shared/list/use-list-state';
import { weightKindQueries } from '../../shared/weights/queries';

/** The search and the filter of a list or a file. */
export interface EndUserSelection {
  search?: string;
  status?: 'active' | 'inactive';
  groupId?: string;
}

export interface EndUserFilters extends EndUserSelection {
  sort?: ListSort;
  page: number;
  pageSize?: number;
}

/** Everything cached about end users: keys to invalidate by, options to read with. */
export const endUserQueries = {
  all: () => ['end-users'] as const,
  stats: () =>
    queryOptions({
      queryKey: [...endUserQueries.all(), 'stats'],
      queryFn: ({ signal }) => unwrap(api.GET('/client/end-users/stats', { signal })),
      select: (body) => body.data,
    }),
  one: (endUserId: string) =>
    queryOptions({
      queryKey: [...endUserQueries.all(), 'one', endUserId],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/client/end-users/{endUserId}', { params: { path: { endUserId } }, signal })),
      select: (body) => body.data,
    }),
  list: (filters: EndUserFilters) =>
    queryOptions({
      queryKey: [...endUserQueries.all(), 'list', filters],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/end-users', { params: { query: { pageSize: PAGE_SIZE, ...filters } }, signal }),
        ),
      select: (body) => toPage(body),
      placeholderData: keepPreviousData,
    }),
};

/** Fetches end users, groups and kinds of weight anew: each shows the others. */
export function invalidatePeople(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: groupQueries.all() });
  void queryClient.invalidateQueries({ queryKey: weightKindQueries.all() });
  void queryClient.invalidateQueries({ queryKey: endUserQueries.all() });
}
