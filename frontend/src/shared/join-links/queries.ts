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
  /** Whether invitations can be sent by email. */
  canSend: (meetingId: string) =>
    queryOptions({
      queryKey: [...joinLinkQueries.all(), 'can-send', meetingId],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings/{meetingId}/invitations', {
            params: { path: { meetingId }, query: { page: 1, pageSize: 1 } },
            signal,
          }),
        ),
      select: (body) => body.canSendEmail,
    }),
  of: (endUserId: string) =>
    queryOptions({
      queryKey: [...joinLinkQueries.all(), 'of', endUserId],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/client/join-links', { params: { query: { endUserId, pageSize: 200 } }, signal })),
      select: (body) => body.data,
    }),
};
