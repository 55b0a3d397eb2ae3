import type { Result } from '../../../api/types';
import { waitsForLot } from '../../../shared/result/election/election-names';
import { shownElection } from '../../../shared/result/election/shown-election';

/** Whether a result cannot be declared before a tie is decided or the casting vote is noted. */
export function waitsForTie(result: Result): boolean {
  const { decisionRule, decision } = result;
  if (decision.outcome === 'casting_vote_open') {
    return true;
  }
  const ties = decisionRule?.kind === 'election' ? decisionRule.election.ties : undefined;
  return waitsForLot(shownElection(result)?.tie ?? null, ties ?? 'lot');
}
