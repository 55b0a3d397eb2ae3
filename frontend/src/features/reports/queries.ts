import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { PAGE_SIZE, toPage } from '../../api/page';
import type { ClientStatus } from '../../api/types';
import type { ListSort } from '../../shared/list/use-list-state';

/** Which clients are reported, and in what order. */
export interface ReportFilters {
  search?: string;
  status?: ClientStatus;
  sort?: ListSort;
}

/** Everything cached about reports: keys to invalidate by, options to read with. */
export const reportQueries = {
  all: () => ['reports'] as const,
  clients: (filters: ReportFilters & { page: number }) =>
    queryOptions({
      queryKey: [...reportQueries.all(), 'clients', filters],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/reports/clients', { params: { query: { ...filters, pageSize: PAGE_SIZE } }, signal }),
        ),
      select: (body) => toPage(body),
      placeholderData: keepPreviousData,
      // Never fresh: what is reported changes elsewhere all the time.
      staleTime: 0,
    }),
};
