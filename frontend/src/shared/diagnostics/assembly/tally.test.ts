import { describe, expect, it } from 'vitest';
import type { Result } from '../../../api/types';
import { electionResult } from '../../../test/election-samples';
import { sampleResult } from '../../../test/result-samples';
import { countOf, outcomeByWeight, type SentVote, tallyDifferences } from './tally';

const REGISTER = [{ weight: 0.1 }, { weight: 0.2 }, { weight: 2 }];
const SENT: SentVote[] = [
  { answers: ['Yes'], weight: 0.1 },
  { answers: ['Yes'], weight: 0.2 },
];

function option(text: string, heads: number, weight: number): Result['options'][number] {
  return { id: text, text, role: 'choice', heads, weight, headsPercent: null, weightPercent: null };
}

const RIGHT = sampleResult({
  questionText: 'Budget?',
  register: { heads: 3, weight: 2.3 },
  votesCast: { heads: 2, weight: 0.3 },
  notVoted: { heads: 1, weight: 2 },
  options: [option('Yes', 2, 0.3), option('No', 0, 0)],
});

const NUMBERS = { mean: 4, weightedMean: 4, median: 4, weightedMedian: 4 };
const RATED = sampleResult({
  ...RIGHT,
  questionType: 'RATING',
  options: [],
  numbers: { ...NUMBERS, distribution: [3, 4].map((value) => ({ value, heads: 1, weight: value / 30 })) },
});

it('adds weights up exactly', () => {
  expect(countOf([{ weight: 0.1 }, { weight: 0.2 }])).toEqual({ heads: 2, weight: 0.3 });
});

describe('a tally beside what was sent', () => {
  it('is right', () => {
    expect(tallyDifferences(RIGHT, REGISTER, SENT)).toEqual([]);
  });

  it.each<[string, Partial<Result>]>([
    ['The register: 4 with a weight of 2.3 instead of 3', { register: { heads: 4, weight: 2.3 } }],
    ['All votes together: 3 with a weight of 0.3 instead of 2', { votesCast: { heads: 3, weight: 0.3 } }],
    ['People who did not vote: 0 with a weight of 0', { notVoted: { heads: 0, weight: 0 } }],
    ['Invalid votes: 1 with a weight of 2 instead of 0', { invalid: { heads: 1, weight: 2 } }],
    ['Votes for Yes: 2 with a weight of 0.4 instead of 2', { options: [option('Yes', 2, 0.4)] }],
    [
      'Votes for No: 1 with a weight of 1 instead of 0',
      { options: [option('Yes', 2, 0.3), option('No', 1, 1)] },
    ],
    ['Votes for Yes are not in the result', { options: [option('No', 0, 0)] }],
  ])('is wrong: %s', (sentence, change) => {
    const [difference] = tallyDifferences({ ...RIGHT, ...change }, REGISTER, SENT);
    expect(difference).toContain(`“Budget?”: ${sentence}`);
  });

  it('counts an answer of several options for each of them', () => {
    const both: SentVote[] = [
      { answers: ['Ada', 'Ben'], weight: 0.1 },
      { answers: ['Ben'], weight: 0.2 },
    ];
    const result = { ...RIGHT, questionType: 'MULTIPLE_CHOICE' as const };
    const options = [option('Ada', 1, 0.1), option('Ben', 2, 0.3)];
    expect(tallyDifferences({ ...result, options }, REGISTER, both)).toEqual([]);
  });

  it('compares numbers by their value, also one that nobody was sent for', () => {
    const sent: SentVote[] = [
      { answers: ['3'], weight: 0.1 },
      { answers: ['5'], weight: 0.2 },
    ];
    expect(tallyDifferences(RATED, REGISTER, sent)).toEqual([
      '“Budget?”: Votes for 4: 1 with a weight of 0.13333333333333333 instead of 0 with a weight of 0.',
      '“Budget?”: Votes for 5: 0 with a weight of 0 instead of 1 with a weight of 0.2.',
    ]);
  });

  it('misses numbers that are not there', () => {
    expect(tallyDifferences({ ...RATED, numbers: null }, REGISTER, SENT)).toEqual([
      '“Budget?”: The result has no numbers.',
    ]);
  });

  it('compares how many different texts there are', () => {
    const result = { ...RIGHT, questionType: 'OPEN_TEXT' as const, options: [], differentTexts: 2 };
    expect(tallyDifferences(result, REGISTER, SENT)).toEqual([
      '“Budget?”: There are 2 different texts instead of 1.',
    ]);
  });
});

it('compares who is elected by the most votes', () => {
  const election = electionResult({ elected: [{ candidate: 1, stage: 1, by: 'most_votes', list: null }] });
  const result = { ...RIGHT, questionType: 'ELECTION' as const, election };
  expect(tallyDifferences(result, REGISTER, SENT)).toEqual([]);
  const other = electionResult({ elected: [{ candidate: 2, stage: 1, by: 'most_votes', list: null }] });
  expect(tallyDifferences({ ...result, election: other }, REGISTER, SENT)).toEqual([
    '“Budget?”: Elected: No instead of Yes.',
  ]);
  expect(tallyDifferences({ ...result, election: null }, REGISTER, SENT)).toEqual([
    '“Budget?”: The result has no election.',
  ]);
});

it('decides by weight, and a tie is rejected', () => {
  const no = { answers: ['No'], weight: 0.3 };
  expect(outcomeByWeight([...SENT, { ...no, weight: 0.2999 }])).toBe('accepted');
  expect(outcomeByWeight([...SENT, no])).toBe('rejected');
});
