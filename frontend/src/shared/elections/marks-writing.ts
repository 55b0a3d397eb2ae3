import type { CandidateReply } from './election-types';

/* Writes the notation that `marks.ts` reads. Only the ballot's controls need it, which are loaded later. */

export function writeChoices(numbers: number[]): string[] {
  return numbers.map(String);
}

export function writeReplies(replies: Map<number, CandidateReply>): string[] {
  return [...replies].map(([number, reply]) => `${number}=${reply}`);
}

/** A candidate without points has no mark. A score of 0 that was given is a mark. */
export function writePoints(points: Map<number, number>): string[] {
  return [...points].map(([number, count]) => `${number}=${count}`);
}

export function writeRanks(ranks: number[][]): string[] {
  return ranks.flatMap((candidates, place) => candidates.map((candidate) => `${place + 1}:${candidate}`));
}

export function writeList(list: number, candidates: number[]): string[] {
  return [`list=${list}`, ...writeChoices(candidates)];
}
