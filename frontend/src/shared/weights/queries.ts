import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';

export const weightKindQueries = {
  all: () => ['weight-kinds'] as const,
  /** With the sums of everybody's values. */
  list: () =>
    queryOptions({
      queryKey: [...weightKindQueries.all(), 'list'],
      queryFn: ({ signal }) => unwrap(api.GET('/client/weight-kinds', { signal })),
      select: (body) => body.data,
    }),
};
