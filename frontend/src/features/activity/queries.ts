import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { DASHBOARD_REFRESH_MS } from '../../shared/dashboard-refresh';

/** The number of entries on a dashboard. */
const LIMIT = 20;

// Never fresh: a person who has just created a client or started a meeting wants to see that here.
const live = { staleTime: 0, refetchInterval: DASHBOARD_REFRESH_MS } as const;

/** Recent activity and present sessions. */
export const activityQueries = {
  all: () => ['activity'] as const,
  ofPlatform: () =>
    queryOptions({
      queryKey: [...activityQueries.all(), 'platform'],
      queryFn: ({ signal }) => unwrap(api.GET('/activity', { params: { query: { limit: LIMIT } }, signal })),
      select: (body) => body.data,
      ...live,
    }),
  ofClient: () =>
    queryOptions({
      queryKey: [...activityQueries.all(), 'client'],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/client/activity', { params: { query: { limit: LIMIT } }, signal })),
      select: (body) => body.data,
      ...live,
    }),
  sessions: () =>
    queryOptions({
      queryKey: [...activityQueries.all(), 'sessions'],
      queryFn: ({ signal }) => unwrap(api.GET('/sessions/stats', { signal })),
      select: (body) => body.data,
      ...live,
    }),
};
