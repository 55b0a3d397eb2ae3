import { queryOptions } from '@tanstack/react-query';
import { api, fetchWithSession, unwrap } from '../../../api/client';
import { retryOfFailed } from '../../../api/retries';
import { within } from '../../../api/time-limit';
import { voterQueries } from '../queries';

const EVERY_MS = 5_000;

/** A question may be open for a minute only. */
const HELD_LIMIT_MS = 8_000;

/** For people who have nothing to do with any proxy: in a large meeting, that is nearly everybody. */
const SELDOM_MS = 30_000;

export const proxyQueries = {
  /** The proxies that the voter gave and holds. */
  own: (meetingId: string) =>
    queryOptions({
      queryKey: [...voterQueries.all(), 'proxies', meetingId],
      queryFn: ({ signal }) =>
        unwrap(api.GET('/voting/meetings/{meetingId}/proxies', { params: { path: { meetingId } }, signal })),
      refetchInterval: ({ state: { data } }) =>
        data && data.given.length + data.held.length + data.uses.length > 0 ? EVERY_MS : SELDOM_MS,
    }),
  /**
   * The votes of others in a question's last round. The round is in the key, so that each opening is asked for. Whoever has
   * none gets some only by an admission, after which `useHeldVotes` asks again. An answer about another round says nothing.
   */
  held: (meetingId: string, questionId: string, roundId: string | null, isExpected = true) =>
    queryOptions({
      queryKey: [...voterQueries.all(), 'held', meetingId, questionId, roundId],
      queryFn: ({ signal }) =>
        unwrap(
          api.GET('/voting/meetings/{meetingId}/questions/{questionId}/proxies', {
            params: { path: { meetingId, questionId } },
            headers: { Accept: 'application/json' },
            fetch: within(HELD_LIMIT_MS, fetchWithSession),
            signal,
          }),
        ),
      refetchInterval: ({ state }) =>
        state.data && (state.data.votes.length > 0 || state.data.roundId !== roundId)
          ? EVERY_MS
          : isExpected
            ? retryOfFailed({ state })
            : state.status === 'error' && SELDOM_MS * (1 + Math.random()),
      // The ballots of a busy hall come before the questions of people who expect nothing.
      ...(isExpected ? {} : { retry: false }),
    }),
};
