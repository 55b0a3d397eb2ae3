import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';

/** The queries of the person's own account. */
export const ownAccountQueries = {
  all: () => ['own account'] as const,
  sessions: () =>
    queryOptions({
      queryKey: [...ownAccountQueries.all(), 'sessions'],
      queryFn: ({ signal }) => unwrap(api.GET('/auth/sessions', { signal })),
      select: (body) => body.data,
      // Never fresh: other devices sign in and out.
      staleTime: 0,
    }),
  secondFactor: () =>
    queryOptions({
      queryKey: [...ownAccountQueries.all(), 'second factor'],
      queryFn: ({ signal }) => unwrap(api.GET('/auth/second-factor', { signal })),
      // Never fresh: a sign-in elsewhere uses up recovery codes.
      staleTime: 0,
    }),
};
