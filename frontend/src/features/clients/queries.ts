import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { PAGE_SIZE, toPage } from '../../api/page';
import type { ClientStatus } from '../../api/types';
import type { ListSort } from '../../shared/list/use-list-state';

export interface ClientFilters {
  search?: string;
  status?: ClientStatus;
  sort?: ListSort;
  page: number;
}

export interface CodeQuery {
  name?: string;
  code?: string;
  clientId?: string;
}

/** Everything cached about clients: keys to invalidate by, options to read with. */
export const clientQueries = {
  all: () => ['clients'] as const,
  stats: () =>
    queryOptions({
      queryKey: [...clientQueries.all(), 'stats'],
      queryFn: ({ signal }) => unwrap(api.GET('/clients/stats', { signal })),
      select: (body) => body.data,
    }),
  one: (clientId: string) =>
    queryOptions({
      queryKey: [...clientQueries.all(), 'one', clientId],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/clients/{clientId}', { params: { path: { clientId } }, signal })),
      select: (body) => body.data,
    }),
  /** A free code for the name, and whether the typed code can be chosen. */
  codeCheck: (typed: CodeQuery) =>
    queryOptions({
      queryKey: [...clientQueries.all(), 'code', typed],
      queryFn: ({ signal }) => unwrap(api.GET('/clients/code-check', { params: { query: typed }, signal })),
      select: (body) => body.data,
      retry: false,
    }),
  /** The meetings of a client whose archives can be downloaded, page by page. */
  archives: (clientId: string) =>
    infiniteQueryOptions({
      queryKey: [...clientQueries.all(), 'archives', clientId],
      queryFn: ({ pageParam, signal }) =>
        unwrap(
          api.GET('/clients/{clientId}/archives', {
            params: { path: { clientId }, query: { page: pageParam, pageSize: PAGE_SIZE } },
            signal,
          }),
        ),
      initialPageParam: 1,
      getNextPageParam: ({ meta: { page, pageSize, total } }) =>
        page * pageSize < total ? page + 1 : undefined,
    }),
  list: (filters: ClientFilters) =>
    queryOptions({
      queryKey: [...clientQueries.all(), 'list', filters],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/clients', { params: { query: { ...filters, pageSize: PAGE_SIZE } }, signal })),
      select: (body) => toPage(body),
      placeholderData: keepPreviousData,
    }),
};
