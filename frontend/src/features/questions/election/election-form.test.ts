import { describe, expect, it } from 'vitest';
import type { ElectionRule } from '../../../shared/elections/election-types';
import {
  candidateNames,
  type ElectionFields,
  electionIssues,
  fromElection,
  newCandidate,
  newElection,
  toElection,
  withMethod,
} from './election-form';
import { parseCandidates } from './parse-candidates';
import { toPaper } from './to-paper';

function fieldsOf(change: Partial<ElectionFields> = {}): ElectionFields {
  return {
    ...newElection(),
    candidates: ['Nadia', 'Tomas', 'Imani'].map((name) => newCandidate({ name })),
    ...change,
  };
}

function setting(change: Partial<ElectionFields['settings']>): ElectionFields['settings'] {
  return { ...newElection().settings, ...change };
}

describe('pasted names', () => {
  it('are one a line, with a line after a semicolon', () => {
    const pasted = parseCandidates(' Nadia Brandt ; Flat 12; east\r\n\r\nTomas Weller\n');
    expect(pasted.map(({ name, line }) => [name, line])).toEqual([
      ['Nadia Brandt', 'Flat 12; east'],
      ['Tomas Weller', ''],
    ]);
    expect(new Set(pasted.map(({ key }) => key)).size).toBe(2);
  });
});

describe('the rule for the server', () => {
  it('has the settings of its method only, and leaves empty ones to the server', () => {
    expect(toElection(fieldsOf())).toEqual({
      method: 'plurality',
      seats: 1,
      declined: 'next_moves_up',
      repeatedChoices: 'counts_once',
      unit: 'heads',
      ties: 'lot',
      abstentions: 'are_votes_cast',
      blank: 'invalid',
      noneOfTheAbove: false,
      order: 'as_entered',
      leastSupport: null,
      requirement: null,
      candidates: [1, 2, 3].map(() => ({ line: null, about: null, isWithdrawn: false })),
    });
    const ranking = toElection(withMethod(fieldsOf({ settings: setting({ mostRanks: '2' }) }), 'irv'));
    expect(ranking).toMatchObject({ method: 'irv', mostRanks: 2, tiesByEarlierStages: false });
    expect(ranking).not.toHaveProperty('requirement');
    expect(ranking).not.toHaveProperty('skippedRanks');
    expect(ranking).not.toHaveProperty('repeatedChoices');
  });

  it('elects everybody without seats, and asks for yes and no of each candidate', () => {
    const rule = toElection(withMethod(fieldsOf({ seats: '' }), 'per_candidate'));
    expect(rule.seats).toBeNull();
    expect(rule.requirement).toEqual({
      base: 'yes_and_no',
      comparison: 'more_than',
      numerator: 1,
      denominator: 2,
    });
    // Other methods need seats, and have no yes and no.
    const other = withMethod(withMethod(fieldsOf({ seats: '' }), 'per_candidate'), 'irv');
    expect(other.seats).toBe('1');
    expect(other.requirement.base).toBe('valid_ballots');
  });

  it('sends a seed with the order by lot alone', () => {
    expect(toElection(fieldsOf({ settings: setting({ orderSeed: '7f3a' }) }))).not.toHaveProperty(
      'orderSeed',
    );
    expect(toElection(fieldsOf({ settings: setting({ order: 'by_lot', orderSeed: '7f3a' }) }))).toMatchObject(
      {
        order: 'by_lot',
        orderSeed: '7f3a',
      },
    );
  });

  it('numbers the candidates with a name, and the lists by them', () => {
    const candidates = ['', 'Nadia', '', 'Tomas'].map((name) => newCandidate({ name }));
    const [, nadia, , tomas] = candidates;
    const fields = fieldsOf({
      candidates,
      method: 'lists',
      lists: [{ key: 'l', name: ' Greens ', candidates: [tomas?.key ?? '', nadia?.key ?? ''] }],
    });
    expect(candidateNames(fields)).toEqual(['Nadia', 'Tomas']);
    expect(toElection(fields).lists).toEqual([{ name: 'Greens', candidates: [2, 1] }]);
  });

  it('offers none of the above on every ballot but that for a list', () => {
    const settings = setting({ noneOfTheAbove: 'true' });
    const sent = (method: ElectionRule['method']) => toElection({ ...newElection(), method, settings });
    expect(sent('per_candidate').noneOfTheAbove).toBe(true);
    expect(sent('borda').noneOfTheAbove).toBe(true);
    expect(sent('lists')).not.toHaveProperty('noneOfTheAbove');
  });

  it('is the same after it was stored and opened again', () => {
    const stored: ElectionRule = {
      method: 'lists',
      seats: 2,
      unit: 'weight',
      ties: 'run_off',
      declined: 'stays_vacant',
      abstentions: 'are_not_votes',
      blank: 'valid_for_nobody',
      leastSupport: { base: 'votes_cast', comparison: 'at_least', numerator: 1, denominator: 20 },
      order: 'by_lot',
      orderSeed: '7f3a',
      divisors: 'd_hondt',
      mostChoices: 1,
      listOrder: 'by_votes',
      lists: [
        { name: 'Greens', candidates: [3, 1] },
        { name: 'Gardeners', candidates: [2] },
      ],
      candidates: [
        { line: 'Flat 12', about: 'Treasurer.', isWithdrawn: false },
        { line: null, about: null, isWithdrawn: true },
        { line: null, about: null, isWithdrawn: false },
      ],
    };
    expect(toElection(fromElection(stored, ['Nadia', 'Tomas', 'Imani']))).toEqual(stored);
  });
});

describe('the errors of an election', () => {
  const issuesOf = (change: Partial<ElectionFields>) => electionIssues(fieldsOf(change));

  it('are none of a sound one', () => {
    expect(issuesOf({})).toEqual({});
  });

  it('concern the candidates', () => {
    expect(issuesOf({ candidates: [newCandidate()] })).toMatchObject({
      options: 'Enter at least one candidate.',
    });
    expect(
      issuesOf({ candidates: [newCandidate({ name: 'Nadia' }), newCandidate({ name: 'nadia ' })] }),
    ).toEqual({ options: 'Two candidates have the same name. Add a word that tells them apart.' });
    expect(issuesOf({ candidates: [newCandidate({ name: 'Nadia', isWithdrawn: true })] })).toEqual({
      options: 'All candidates are withdrawn.',
    });
    expect(
      issuesOf({
        candidates: Array.from({ length: 101 }, (_, index) => newCandidate({ name: `C${index}` })),
      }),
    ).toEqual({ options: 'An election has at most 100 candidates. These are 101.' });
    expect(
      issuesOf({
        candidates: [newCandidate({ name: 'Nadia', line: 'x'.repeat(121), about: 'x'.repeat(1_001) })],
      }),
    ).toEqual({
      'decisionRule.election.candidates.0.line': 'At most 120 characters.',
      'decisionRule.election.candidates.0.about': 'At most 1,000 characters.',
    });
  });

  it('concern the seats and the settings of the method', () => {
    expect(issuesOf({ seats: '4' })).toEqual({
      'decisionRule.election.seats': 'Must be a whole number from 1 to 3.',
    });
    expect(issuesOf({ seats: '' })).toEqual({});
    expect(issuesOf({ seats: '', method: 'irv' })).toHaveProperty(['decisionRule.election.seats']);
    expect(issuesOf({ settings: setting({ leastChoices: '0' }) })).toEqual({
      'decisionRule.election.leastChoices': 'Must be a whole number from 1 to 1,000.',
    });
    expect(issuesOf({ method: 'irv', settings: setting({ leastChoices: '0' }) })).toEqual({});
  });

  it('concern the lists', () => {
    expect(issuesOf({ method: 'lists' })).toEqual({
      'decisionRule.election.lists': 'Add at least one list.',
    });
    expect(issuesOf({ method: 'lists', lists: [{ key: 'l', name: '', candidates: [] }] })).toEqual({
      'decisionRule.election.lists.0.name': 'Must not be empty.',
      'decisionRule.election.lists.0.candidates': 'Put at least one candidate on this list.',
    });
  });
});

describe('the ballot of the preview', () => {
  const paperOf = (change: Partial<ElectionFields>) => toPaper(fieldsOf(change));

  it('has the kind of marks and the limits of the method', () => {
    expect(paperOf({ seats: '2' })).toMatchObject({ marks: 'choices', least: 1, most: 2 });
    expect(paperOf({ method: 'approval', seats: '' })).toMatchObject({ marks: 'choices', most: null });
    expect(
      paperOf({ method: 'cumulative', seats: '3', settings: setting({ needsAllVotes: 'true' }) }),
    ).toMatchObject({ marks: 'points', least: 3, votes: 3, mostForOne: 3 });
    expect(paperOf({ method: 'score' })).toMatchObject({ marks: 'points', votes: null, mostForOne: 5 });
    expect(paperOf({ method: 'schulze' })).toMatchObject({ marks: 'ranking', allowsEqual: true });
    expect(paperOf({ method: 'borda' })).toMatchObject({ marks: 'ranking', allowsEqual: false });
    expect(paperOf({ method: 'per_candidate', settings: setting({ unanswered: 'invalid' }) })).toMatchObject({
      marks: 'answers',
      least: 3,
    });
  });

  it('is ordered by name where that is set, and has none of the above', () => {
    expect(paperOf({ settings: setting({ order: 'by_name', noneOfTheAbove: 'true' }) })).toMatchObject({
      ballotOrder: [3, 1, 2],
      noneOfTheAbove: 4,
    });
  });

  it('survives a number that is being typed', () => {
    expect(paperOf({ seats: 'x' })).toMatchObject({ seats: null, most: null });
  });
});
