import { describe, expect, it } from 'vitest';
import type { Condition, DecisionRule } from '../../api/types';
import { sampleResult } from '../../test/result-samples';
import type { ElectionMethod, ElectionRule } from '../elections/election-types';
import { formatNumber } from '../format';
import { formatPercent, unitsOf } from './figures';
import { presentMeans, presentSentence, quorumWords, ruleWords } from './result-words';
import { ruleName, tellsOfHeads } from './rule-names';

const ofYesAndNo = { units: 'weight', base: 'yes_plus_no', comparison: 'more_than' } as const;
const ofShares = {
  units: 'weight',
  base: 'whole_register',
  comparison: 'at_least',
  numerator: 1,
  denominator: 2,
} as const;

const rules: [string, string, DecisionRule][] = [
  [
    'More than 1/2 of yes and no, by weight. A tie rejects.',
    'simple majority by weight',
    { kind: 'majority', conditions: [{ ...ofYesAndNo, numerator: 1, denominator: 2 }] },
  ],
  [
    // The same share in other numbers: a tie is possible here too.
    'More than 50/100 of yes and no, by weight. A tie accepts.',
    'more than 50/100 of yes and no, by weight',
    { kind: 'majority', conditions: [{ ...ofYesAndNo, numerator: 50, denominator: 100 }], onTie: 'accepted' },
  ],
  [
    'More than 2/3 of yes and no, by weight; and at least 1/2 of the whole register, by weight.',
    'condominium (double majority) by weight',
    { kind: 'majority', conditions: [{ ...ofYesAndNo, numerator: 2, denominator: 3 }, ofShares] },
  ],
  [
    'The option with the most votes is elected, by heads. If more options are tied than seats remain, none of them is elected.',
    'most votes by heads, 1 seat',
    { kind: 'plurality', unit: 'heads', seats: 1 },
  ],
  [
    'Each option needs at least 1/2 of the whole register, by weight. Of those that reach it, the 3 options with the most votes are elected. If more options are tied than seats remain, none of them is elected.',
    'at least 1/2 of the whole register, by weight, for each option, 3 seats',
    { kind: 'each_option', condition: ofShares, seats: 3 },
  ],
];

describe('a rule in words', () => {
  it.each(rules)('%s', (words, name, rule) => {
    expect(ruleWords(rule)).toBe(words);
    expect(ruleName(rule)).toBe(name);
  });

  it('begins with a small letter in a line, unless a method is named after a person', () => {
    const of = (method: ElectionMethod) =>
      ruleName({ kind: 'election', election: { method, seats: 1 } as ElectionRule });
    expect(of('irv')).toBe('instant runoff by heads, 1 seat');
    expect(of('stv_scottish')).toBe('single transferable vote (Scottish rules) by heads, 1 seat');
    expect(of('schulze')).toBe('Schulze by heads, 1 seat');
  });

  it('tells of heads by itself, unless it counts weight', () => {
    const simple = (units: Condition['units']): DecisionRule => ({
      kind: 'majority',
      conditions: [{ ...ofYesAndNo, units, numerator: 1, denominator: 2 }],
    });
    expect(tellsOfHeads(simple('heads'))).toBe(false);
    expect(tellsOfHeads(simple('both'))).toBe(true);
    expect(tellsOfHeads(null)).toBe(true);
  });

  it('lists the units in which votes count', () => {
    expect(unitsOf(null)).toEqual(['heads']);
    expect(unitsOf({ kind: 'plurality', unit: 'weight', seats: 1 })).toEqual(['weight']);
    const both = { ...ofYesAndNo, units: 'both', numerator: 1, denominator: 2 } as const;
    expect(unitsOf({ kind: 'majority', conditions: [both] })).toEqual(['heads', 'weight']);
  });
});

it('puts a quorum in words', () => {
  expect(
    quorumWords({
      comparison: 'more_than',
      numerator: 2,
      denominator: 3,
      unit: 'weight',
      attendance: 'voted',
    }),
  ).toBe('More than 2/3 of the register must have voted, by weight.');
});

describe('present voters', () => {
  const { arithmetic } = sampleResult();
  const [check] = arithmetic.checks;
  const ofPresent = {
    ...arithmetic,
    checks: check ? [{ ...check, base: 'connected_at_opening' as const }] : [],
  };

  it('are explained where they are a base or a quorum', () => {
    const presence = 'CONNECTED_OR_VOTED';
    expect(presentSentence({ arithmetic, presence })).toBeNull();
    expect(presentSentence({ arithmetic: ofPresent, presence })).toBe(
      'Present: connected at opening, or voted.',
    );
    const quorum = (attendance: 'present' | 'voted') => ({
      quorum: { comparison: 'at_least', numerator: 1, denominator: 2, unit: 'heads', attendance } as const,
      attending: 172,
      register: 180,
      percent: 95.56,
      needed: { amount: 90, isEnough: true, isRoundedUp: false },
      isMet: true,
      sentence: '',
    });
    const withQuorum = (attendance: 'present' | 'voted') =>
      presentSentence({ arithmetic: { ...arithmetic, quorum: quorum(attendance) }, presence });
    expect(withQuorum('present')).toBe('Present: connected at opening, or voted.');
    expect(withQuorum('voted')).toBeNull();
  });

  it('are those checked in where there is check-in', () => {
    expect(presentMeans(true)).toBe('Present means checked in at opening, or voted.');
    expect(presentMeans(false)).toBe('Present means connected at opening, or voted.');
  });

  it('of a round of an earlier version are the larger number', () => {
    expect(presentSentence({ arithmetic: ofPresent, presence: 'LARGER_NUMBER' })).toBe(
      'Present: connected at opening or votes cast, the larger number.',
    );
  });
});

it('shows figures digit for digit, and percentages with their two decimals', () => {
  expect(formatNumber(1234.5678)).toBe('1,234.5678');
  expect(formatNumber(412.5)).toBe('412.5');
  expect(formatNumber(99_999_999_999.0001)).toBe('99,999,999,999.0001');
  expect(formatPercent(60)).toBe('60.00\u00a0%');
  expect(formatPercent(68.24)).toBe('68.24\u00a0%');
  expect(formatPercent(null)).toBe('–');
});
