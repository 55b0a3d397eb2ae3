import { expect, it } from 'vitest';
import { electionResult, electionTie, resultOfElection } from '../../../test/election-samples';
import { sampleResult } from '../../../test/result-samples';
import { shownElection } from './shown-election';

const missed = { outcome: 'quorum_missed' as const, elected: [], tie: null };

it('elects nobody where the quorum was missed, and keeps ballots, stages and votes', () => {
  const election = electionResult({
    tie: electionTie(),
    vacancies: { seats: 1, why: 'no_votes', words: '1 seat stays vacant: nobody else has votes.' },
    lists: [{ list: 1, name: 'Greens', votes: '40', seats: [{ seat: 1, divisor: 1 }] }],
  });
  const shown = shownElection(resultOfElection(election, { decision: missed }));
  expect(shown).toMatchObject({ elected: [], tie: null, vacancies: null, ballots: election.ballots });
  expect(shown?.lists).toEqual([{ list: 1, name: 'Greens', votes: '40', seats: [] }]);
  expect(shown?.stages.map(({ votes }) => votes)).toEqual(election.stages.map(({ votes }) => votes));
  expect(shown?.stages.map(({ words }) => words)).toEqual([
    [],
    ['The surplus of 8 votes of Nadia Brandt is transferred.'],
    ['Imani Okoye is excluded.'],
  ]);
});

it('leaves every other result as it is', () => {
  const election = electionResult();
  expect(shownElection(resultOfElection(election))).toBe(election);
  expect(shownElection(sampleResult({ decision: missed }))).toBeNull();
});
