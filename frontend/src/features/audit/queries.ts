import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';

/** The owner of the log. */
export type AuditScope = 'platform' | 'client';

/** The search and filter parameters of the log. */
export interface AuditFilters {
  search?: string;
  person?: string;
  kind?: string;
  /** In the API's time format. */
  from?: string;
  until?: string;
}

const PATHS = { platform: '/audit', client: '/client/audit' } as const;

export const auditQueries = {
  all: () => ['audit'] as const,
  list: (scope: AuditScope, filters: AuditFilters) =>
    infiniteQueryOptions({
      queryKey: [...auditQueries.all(), scope, filters],
      queryFn: ({ pageParam, signal }) =>
        unwrap(
          api.GET(PATHS[scope], {
            params: { query: { ...filters, ...(pageParam ? { behind: pageParam } : {}) } },
            signal,
          }),
        ),
      initialPageParam: '',
      getNextPageParam: (page) => page.next ?? undefined,
      select: ({ pages }) => pages.flatMap((page) => page.data),
      placeholderData: keepPreviousData,
      // Never fresh: a person who has just changed something expects to see it here.
      staleTime: 0,
    }),
};
