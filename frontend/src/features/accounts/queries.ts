import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { PAGE_SIZE, toPage } from '../../api/page';
import type { ListSort } from '../../shared/list/use-list-state';

export interface AccountFilters {
  search?: string;
  sort?: ListSort;
  page: number;
}

/** Everything cached about accounts: keys to invalidate by, options to read with. */
export const accountQueries = {
  all: () => ['accounts'] as const,
  list: (filters: AccountFilters) =>
    queryOptions({
      queryKey: [...accountQueries.all(), 'list', filters],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/accounts', { params: { query: { ...filters, pageSize: PAGE_SIZE } }, signal })),
      select: (body) => toPage(body),
      placeholderData: keepPreviousData,
      // Never fresh: the form of a client changes names and status, and returns here.
      staleTime: 0,
    }),
};
