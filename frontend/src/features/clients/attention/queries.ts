import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../../api/client';
import { toPage } from '../../../api/page';
import type { ClientStatus } from '../../../api/types';

/** The largest page of the API. */
const MAX_ROWS = 200;

// A dashboard is opened often, and these facts change rarely.
const calm = { staleTime: 60_000 } as const;

/** The facts of the attention list that no other screen loads in this form. */
export const attentionQueries = {
  all: () => ['attention'] as const,
  /** The usage of organizations that are not active. */
  reports: (status: Exclude<ClientStatus, 'ACTIVE'>) =>
    queryOptions({
      queryKey: [...attentionQueries.all(), 'reports', status],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/reports/clients', {
            params: { query: { status, page: 1, pageSize: MAX_ROWS } },
            signal,
          }),
        ),
      select: (body) => toPage(body),
      ...calm,
    }),
  migrations: () =>
    queryOptions({
      queryKey: [...attentionQueries.all(), 'migrations'],
      queryFn: ({ signal }) => unwrap(api.GET('/test/migrations', { signal })),
      ...calm,
    }),
  readiness: () =>
    queryOptions({
      queryKey: [...attentionQueries.all(), 'readiness'],
      queryFn: ({ signal }) => unwrap(api.GET('/health/ready', { signal })),
      ...calm,
    }),
};
