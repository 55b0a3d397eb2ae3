import type { Result } from '../../../api/types';
import type { ElectionResult } from '../../elections/election-types';

/** The words of a count that elects nobody, or nobody before its tie is decided. */
export function nobodyWords({ tie }: Pick<ElectionResult, 'tie'>): string {
  return tie === null ? 'Nobody is elected.' : 'Nobody is elected yet: a tie is not decided.';
}

/**
 * The count of an election as screens show it. Where the quorum was missed nobody is elected, so only ballots, stages and
 * votes are left: no elected, no tie that waits, no seats, and no sentences about those whom the count would have elected.
 */
export function shownElection({
  election,
  decision,
}: Pick<Result, 'election' | 'decision'>): ElectionResult | null {
  if (!election || decision.outcome !== 'quorum_missed') {
    return election ?? null;
  }
  const sentencesAt = (stage: number) => election.elected.filter((elected) => elected.stage === stage).length;
  return {
    ...election,
    elected: [],
    tie: null,
    vacancies: null,
    lists: election.lists?.map((list) => ({ ...list, seats: [] })) ?? null,
    // A stage ends with one sentence for each candidate whom it elects.
    stages: election.stages.map((stage) => ({
      ...stage,
      words: stage.words.slice(0, stage.words.length - sentencesAt(stage.number)),
    })),
  };
}
