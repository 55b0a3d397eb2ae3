import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';

/** Everything cached about personal links. Their tokens are never cached. */
export const joinLinkQueries = {
  all: () => ['join-links'] as const,
  settings: () =>
    queryOptions({
      queryKey: [...joinLinkQueries.all(), 'settings'],
      queryFn: ({ signal }) => unwrap(api.GET('/client/join-links/settings', { signal })),
    }),
  of: (endUserId: string) =>
    queryOptions({
      queryKey: [...joinLinkQueries.all(), 'of', endUserId],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/client/join-links', { params: { query: { endUserId, pageSize: 200 } }, signal })),
      select: (body) => body.data,
    }),
};
