import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { PAGE_SIZE, toPage } from '../../api/page';
import type { ClientStatus } from '../../api/types';
import type { ListSort } from '../../shared/list/use-list-state';

/** The search, the filter and the order of the reported clients. */
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
      // Never fresh: the reported numbers change elsewhere all the time.
      staleTime: 0,
    }),
};
