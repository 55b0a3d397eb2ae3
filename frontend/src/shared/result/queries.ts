import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { PAGE_SIZE, toPage } from '../../api/page';
import type { Round } from '../../api/types';

type RoundState = Pick<Round, 'id' | 'endedAt' | 'declaredAt'>;
type EndedRound = Pick<Round, 'id' | 'endedAt'>;

/** Everything cached about results: keys to invalidate by, options to read with. */
export const resultQueries = {
  all: (meetingId: string) => ['results', meetingId] as const,
  /** All rounds of a meeting that have ended, with attendance and remarks. */
  ofMeeting: (meetingId: string) =>
    queryOptions({
      queryKey: [...resultQueries.all(meetingId), 'meeting'],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/client/meetings/{meetingId}/results', { params: { path: { meetingId } }, signal })),
    }),
  /** The declared elections of a meeting, and who has their seats. */
  elections: (meetingId: string) =>
    queryOptions({
      queryKey: [...resultQueries.all(meetingId), 'elections'],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings/{meetingId}/elections', { params: { path: { meetingId } }, signal }),
        ),
    }),
  /** A reopened round has another end afterwards, and so another cache entry. A declared round never changes. */
  result: (meetingId: string, { id: roundId, endedAt, declaredAt }: RoundState) =>
    queryOptions({
      queryKey: [...resultQueries.all(meetingId), 'round', roundId, endedAt, declaredAt],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings/{meetingId}/rounds/{roundId}/result', {
            params: { path: { meetingId, roundId } },
            signal,
          }),
        ),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  /** The answers to an open question, without duplicates. A reopened round may have other answers. */
  answers: (
    meetingId: string,
    { id: roundId, endedAt }: EndedRound,
    { search, page }: { search: string; page: number },
  ) =>
    queryOptions({
      queryKey: [...resultQueries.all(meetingId), 'answers', roundId, endedAt, { search, page }],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/client/meetings/{meetingId}/rounds/{roundId}/answers', {
            params: {
              path: { meetingId, roundId },
              query: { page, pageSize: PAGE_SIZE, ...(search ? { search } : {}) },
            },
            signal,
          }),
        ),
      select: (body) => toPage(body),
      placeholderData: keepPreviousData,
    }),
};
