import type { Result } from '../../api/types';

type Counted = Pick<Result, 'votesCast' | 'invalid' | 'election' | 'countsHeads'>;

/** A number of people with their weight; null for a weight that nobody has counted. */
export interface Figures {
  heads: number;
  weight: number | null;
}

/**
 * The votes that count, and the invalid ones. The votes cast of an election are all ballots that could be read, and which
 * of them are invalid is told by its count: in the unit of the count, so that their weight may be unknown.
 */
export function castAndInvalid({ votesCast, invalid, election, countsHeads }: Counted): [Figures, Figures] {
  if (!election) {
    return [votesCast, invalid];
  }
  const ballots = election.ballots.invalid;
  const isKnown = election.unit === 'weight' || countsHeads || ballots.heads === 0;
  const weight = election.unit === 'weight' ? Number(ballots.votes) : ballots.heads;
  return [
    { heads: votesCast.heads - ballots.heads, weight: isKnown ? difference(votesCast.weight, weight) : null },
    { heads: invalid.heads + ballots.heads, weight: isKnown ? difference(invalid.weight, -weight) : null },
  ];
}

/** Without the decimals that binary numbers add: weights have six. */
function difference(left: number, right: number): number {
  return Number((left - right).toFixed(6));
}
