import { queryOptions } from '@tanstack/react-query';
import { api, publicApi, unwrap } from '../../api/client';

/** The logos and accent colors of organizations. */
export const brandingQueries = {
  all: () => ['branding'] as const,
  /** Of the organization with this code, as everybody sees it. It lasts until the page is loaded again. */
  of: (clientCode: string) =>
    queryOptions({
      queryKey: [...brandingQueries.all(), 'of', clientCode],
      queryFn: ({ signal }) =>
        unwrap(publicApi.GET('/public/client/{clientCode}', { params: { path: { clientCode } }, signal })),
      select: (body) => body.client,
      staleTime: Number.POSITIVE_INFINITY,
    }),
  /** Of the organizer's own organization. */
  own: () =>
    queryOptions({
      queryKey: [...brandingQueries.all(), 'own'],
      queryFn: ({ signal }) => unwrap(api.GET('/client/branding', { signal })),
    }),
};
