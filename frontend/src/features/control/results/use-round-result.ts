import { useQuery } from '@tanstack/react-query';
import { retryOfFailed } from '../../../api/retries';
import type { Round } from '../../../api/types';
import { resultQueries } from '../../../shared/result/queries';
import { waitsForTie } from './waits-for-tie';

/** The interval between two looks at a result that another organizer may complete. */
const WAITING_EVERY_MS = 10_000;

const NO_ROUND = { id: '', endedAt: null, declaredAt: null };

/** The result of a counted round; null for a round that is not counted. */
export function useRoundResult(meetingId: string, round: Round | null) {
  return useQuery({
    ...resultQueries.result(meetingId, round ?? NO_ROUND),
    enabled: round !== null,
    // The lot and the casting vote of another organizer are no steps, so no event tells of them.
    refetchInterval: ({ state }) =>
      state.data?.status === 'COUNTED' && waitsForTie(state.data)
        ? WAITING_EVERY_MS
        : retryOfFailed({ state }),
    // Only a result of the same end, while its declaration is loading; never a result from before a reopening.
    placeholderData: (previous) =>
      round !== null && previous?.roundId === round.id && previous.endedAt === round.endedAt
        ? previous
        : undefined,
  });
}
