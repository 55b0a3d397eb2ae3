import type { BallotCandidate, ElectionPaper } from './election-types';
import { NONE_OF_THE_ABOVE } from './marks';

/**
 * The candidates in the order of the ballot. If the order is rotated, each voter starts at another place: the key decides
 * it, so that a reload shows the same order. "None of the above" is always the last one.
 */
export function orderedCandidates(election: ElectionPaper, key: string): BallotCandidate[] {
  const { order, ballotOrder, candidates, noneOfTheAbove } = election;
  const persons = ballotOrder.filter((number) => number !== noneOfTheAbove);
  const start = order === 'rotated' && persons.length > 0 ? hashOf(key) % persons.length : 0;
  const rotated = [...persons.slice(start), ...persons.slice(0, start)];
  const shown = rotated.flatMap((number) => candidates.find((one) => one.number === number) ?? []);
  return noneOfTheAbove === null
    ? shown
    : [
        ...shown,
        { number: noneOfTheAbove, name: NONE_OF_THE_ABOVE, line: null, about: null, isWithdrawn: false },
      ];
}

/** FNV-1a in 32 bits: it spreads similar ids evenly. It is not secret. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash;
}
