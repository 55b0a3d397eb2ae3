import { expect, it } from 'vitest';
import { electionResult, resultOfElection } from '../../test/election-samples';
import { sampleResult } from '../../test/result-samples';
import { castAndInvalid } from './cast-and-invalid';

const sums = { votesCast: { heads: 5, weight: 6.5 }, invalid: { heads: 1, weight: 1.25 } };
const { ballots } = electionResult();

it('has the numbers of the result, if it is of no election', () => {
  expect(castAndInvalid(sampleResult(sums))).toEqual([sums.votesCast, sums.invalid]);
});

it('adds the invalid ballots of an election to those that could not be read', () => {
  const election = electionResult({
    unit: 'heads',
    ballots: { ...ballots, invalid: { heads: 3, votes: '3' } },
  });
  const unknown = [
    { heads: 2, weight: null },
    { heads: 4, weight: null },
  ];
  expect(castAndInvalid(resultOfElection(election, sums))).toEqual(unknown);
});

it('knows their weight if it is counted, or if there are none', () => {
  const byWeight = electionResult({
    unit: 'weight',
    ballots: { ...ballots, invalid: { heads: 3, votes: '3.7500' } },
  });
  expect(castAndInvalid(resultOfElection(byWeight, sums))).toEqual([
    { heads: 2, weight: 2.75 },
    { heads: 4, weight: 5 },
  ]);
  const none = electionResult({ unit: 'heads', ballots: { ...ballots, invalid: { heads: 0, votes: '0' } } });
  expect(castAndInvalid(resultOfElection(none, sums))).toEqual([sums.votesCast, sums.invalid]);
});
