import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';

/** Everything cached about groups of end users: keys to invalidate by, options to read with. */
export const groupQueries = {
  all: () => ['groups'] as const,
  /** By name, with the numbers of their members. */
  list: () =>
    queryOptions({
      queryKey: [...groupQueries.all(), 'list'],
      queryFn: ({ signal }) => unwrap(api.GET('/client/groups', { signal })),
      select: (body) => body.data,
    }),
};
