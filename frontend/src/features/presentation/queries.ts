import { queryOptions } from '@tanstack/react-query';
import { publicApi, unwrap } from '../../api/client';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/** The queries of the presentation besides its stream. */
export const presentationQueries = {
  /**
   * The declared result of this round. It is requested until it is loaded, after any error: the hall waits for it, and
   * no one operates the presentation. After that it never changes.
   */
  result: (meetingId: string, roundId: string | null) =>
    queryOptions({
      queryKey: ['presentation', meetingId, 'result', roundId],
      queryFn: async ({ signal }) => {
        const result = await unwrap(
          publicApi.GET('/public/meetings/{meetingId}/presentation/result', {
            params: { path: { meetingId } },
            signal,
          }),
        );
        if (result.roundId !== roundId) {
          throw new Error('The response is for another round.');
        }
        return result;
      },
      enabled: roundId !== null,
      staleTime: Number.POSITIVE_INFINITY,
      retry: true,
      retryDelay: (failures) => pauseAfter(failures) * (0.5 + Math.random() / 2),
      refetchInterval: false,
    }),
  /**
   * The answers to the text question of this round, as curated. The version changes with every change of the curation.
   * The previous answers stay until the next ones arrive, but not after a failure: they may be hidden by now.
   */
  wall: (meetingId: string, roundId: string | null, version: number | null) =>
    queryOptions({
      queryKey: ['presentation', meetingId, 'answers', roundId, version],
      queryFn: async ({ signal }) => {
        const shown = await unwrap(
          publicApi.GET('/public/meetings/{meetingId}/presentation/answers', {
            params: { path: { meetingId } },
            signal,
          }),
        );
        if (shown.roundId !== roundId || shown.version < (version ?? 0)) {
          throw new Error('The response is for another round or version.');
        }
        return shown.wall;
      },
      enabled: roundId !== null && version !== null,
      placeholderData: (previous, query) => (query?.queryKey[3] === roundId ? previous : undefined),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
      retry: true,
      retryDelay: (failures) => pauseAfter(failures) * (0.5 + Math.random() / 2),
      refetchInterval: false,
    }),
};

function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
}
