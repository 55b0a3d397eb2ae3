import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { PAGE_SIZE, toPage } from '../../api/page';

export interface ProxyFilters {
  page: number;
  search?: string;
  revoked?: boolean;
}

/** Everything cached about the proxies of meetings. */
export const proxyQueries = {
  all: (meetingId: string) => ['proxies', meetingId] as const,
  list: (meetingId: string, filters: ProxyFilters) =>
    queryOptions({
      queryKey: [...proxyQueries.all(meetingId), 'list', filters],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings/{meetingId}/proxies', {
            params: { path: { meetingId }, query: { pageSize: PAGE_SIZE, ...filters } },
            signal,
          }),
        ),
      select: (body) => toPage(body),
      placeholderData: keepPreviousData,
    }),
  holders: (meetingId: string) =>
    queryOptions({
      queryKey: [...proxyQueries.all(meetingId), 'holders'],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings/{meetingId}/proxies/holders', {
            params: { path: { meetingId } },
            signal,
          }),
        ),
    }),
  settings: (meetingId: string) =>
    queryOptions({
      queryKey: [...proxyQueries.all(meetingId), 'settings'],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings/{meetingId}/proxies/settings', {
            params: { path: { meetingId } },
            signal,
          }),
        ),
    }),
};
