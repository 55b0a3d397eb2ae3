import type { Result } from '../../../api/types';
import { waitsForLot } from '../../../shared/result/election/election-names';

/** Whether a result cannot be declared before a tie is decided or the casting vote is noted. */
export function waitsForTie({ election, decisionRule, decision }: Result): boolean {
  if (decision.outcome === 'casting_vote_open') {
    return true;
  }
  const ties = decisionRule?.kind === 'election' ? decisionRule.election.ties : undefined;
  return waitsForLot(election?.tie ?? null, ties ?? 'lot');
}
