import { queryOptions } from '@tanstack/react-query';
import { api, publicApi, unwrap } from '../../api/client';

const LIST_EVERY_MS = 5_000;

/** The queries of a voter, and the public ones of the sign-in. */
export const voterQueries = {
  all: () => ['voter'] as const,
  meetings: () =>
    queryOptions({
      queryKey: [...voterQueries.all(), 'meetings'],
      queryFn: ({ signal }) => unwrap(api.GET('/voting/meetings', { signal })),
      select: (body) => body.meetings,
      refetchInterval: LIST_EVERY_MS,
    }),
  meeting: (meetingId: string) =>
    queryOptions({
      queryKey: [...voterQueries.all(), 'meeting', meetingId],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/voting/meetings/{meetingId}', { params: { path: { meetingId } }, signal })),
      select: (body) => body.meeting,
    }),
  /** The declared results, with this voter's own answers. */
  results: (meetingId: string) =>
    queryOptions({
      queryKey: [...voterQueries.all(), 'results', meetingId],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/voting/meetings/{meetingId}/results', { params: { path: { meetingId } }, signal })),
    }),
  organization: (clientCode: string) =>
    queryOptions({
      queryKey: [...voterQueries.all(), 'organization', clientCode],
      queryFn: ({ signal }) =>
        unwrap(publicApi.GET('/public/client/{clientCode}', { params: { path: { clientCode } }, signal })),
      select: (body) => body.client,
      // Every screen of a voter shows its logo.
      staleTime: 1 / 0,
    }),
  /** The owner of a personal link. Asked for once: the sign-in itself finds out whether the link still works. */
  joinLink: (token: string) =>
    queryOptions({
      queryKey: [...voterQueries.all(), 'join-link', token],
      queryFn: ({ signal }) => unwrap(publicApi.POST('/auth/join/look-up', { body: { token }, signal })),
      staleTime: 1 / 0,
    }),
  invitation: (linkToken: string) =>
    queryOptions({
      queryKey: [...voterQueries.all(), 'invitation', linkToken],
      queryFn: ({ signal }) =>
        unwrap(publicApi.GET('/meetings/by-link/{linkToken}', { params: { path: { linkToken } }, signal })),
    }),
};
