import type { Round } from '../../api/types';

/** The rounds with batches that nobody had confirmed when voting ended. */
export function unconfirmedRounds(rounds: Round[]): Round[] {
  return rounds.filter(({ status, waitingBatches }) => status !== 'OPEN' && waitingBatches > 0);
}
