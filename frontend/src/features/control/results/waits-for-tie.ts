import type { Result } from '../../../api/types';
import { electionWaits } from '../../../shared/result/election/election-waits';

/** Whether a result cannot be declared before a tie is decided or the casting vote is noted. */
export function waitsForTie(result: Result): boolean {
  return result.decision.outcome === 'casting_vote_open' || electionWaits(result);
}
