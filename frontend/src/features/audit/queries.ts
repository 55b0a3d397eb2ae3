import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';

/** The owner of the log. */
export type AuditScope = 'platform' | 'client';

/** Which entries are wanted. */
export interface AuditFilters {
  search?: string;
  person?: string;
  kind?: string;
  /** Times as the API has them. */
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
      // Never fresh: whoever has just changed something wants to see that here.
      staleTime: 0,
    }),
};
