import type { ElectionMethod } from './election-types';

const METHODS: Record<ElectionMethod, { name: string; sentence: string }> = {
  per_candidate: {
    name: 'Yes or no for each candidate',
    sentence:
      'Voters answer yes, no or abstain for each candidate. Those who reach the required share are elected.',
  },
  plurality: {
    name: 'Most votes',
    sentence: 'Voters choose as many candidates as there are seats. Those with the most votes are elected.',
  },
  cumulative: {
    name: 'Cumulative votes',
    sentence:
      'Voters have several votes and may give more than one to a candidate. Those with the most votes are elected.',
  },
  approval: {
    name: 'Approval',
    sentence: 'Voters choose all candidates they approve of. Those with the most approvals are elected.',
  },
  irv: {
    name: 'Instant runoff',
    sentence: 'Voters rank. The last candidate is excluded until one has more than half of the votes.',
  },
  stv_scottish: {
    name: 'Single transferable vote (Scottish rules)',
    sentence:
      'Voters rank. Votes that a candidate does not need go to the next choice, so seats are proportional.',
  },
  schulze: {
    name: 'Schulze',
    sentence:
      'Voters rank. Every candidate is compared with every other, and the strongest in these pairs win.',
  },
  borda: {
    name: 'Borda',
    sentence: 'Voters rank. Each rank gives points, and those with the most points are elected.',
  },
  score: {
    name: 'Score',
    sentence: 'Voters give each candidate points on a scale. Those with the most points are elected.',
  },
  lists: {
    name: 'Lists',
    sentence: 'Voters choose a list. The seats go to the lists in proportion to their votes.',
  },
};

/** The name of a method in a title or a choice. */
export function methodName(method: ElectionMethod): string {
  return METHODS[method].name;
}

/** The sentences of methods that need no number of seats, where none is set. */
const WITHOUT_SEATS: Partial<Record<ElectionMethod, string>> = {
  plurality: 'Voters choose candidates. All who meet the conditions are elected.',
  approval: 'Voters choose all candidates they approve of. All who meet the conditions are elected.',
};

/** What voters do, and who is elected, in a sentence or two. */
export function methodSentence(method: ElectionMethod, hasSeats: boolean): string {
  return (hasSeats ? undefined : WITHOUT_SEATS[method]) ?? METHODS[method].sentence;
}

/** "1 seat", "3 seats", "all who qualify" */
export function seatsWords(seats: number | null): string {
  if (seats === null) {
    return 'all who qualify';
  }
  return seats === 1 ? '1 seat' : `${seats} seats`;
}
