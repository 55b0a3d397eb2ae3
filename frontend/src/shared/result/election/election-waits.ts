import type { Result } from '../../../api/types';
import { waitsForLot } from './election-names';
import { shownElection } from './shown-election';

/** Whether the count of an election waits at a tie, so that its result is open. */
export function electionWaits(result: Pick<Result, 'election' | 'decision' | 'decisionRule'>): boolean {
  const { decisionRule } = result;
  const ties = decisionRule?.kind === 'election' ? decisionRule.election.ties : undefined;
  return waitsForLot(shownElection(result)?.tie ?? null, ties ?? 'lot');
}
