import { describe, expect, it } from 'vitest';
import type { Condition, OptionRole, Result } from '../../api/types';
import { sampleResult } from '../../test/result-samples';
import { baseSentence, sharesOf } from './shares';

function option(text: string, heads: number, role: OptionRole = 'choice'): Result['options'][number] {
  return { id: text, text, role, heads, headsPercent: null, weight: heads, weightPercent: null };
}

function yesNo(yes: number, no: number, abstain: number, condition: Partial<Condition> = {}) {
  const share: Condition = {
    units: 'heads',
    base: 'yes_plus_no',
    comparison: 'more_than',
    numerator: 1,
    denominator: 2,
    ...condition,
  };
  const [sample] = sampleResult().arithmetic.checks;
  const cast = yes + no + abstain;
  const whole = {
    yes_plus_no: yes + no,
    votes_cast: cast,
    votes_without_abstentions: yes + no,
    whole_register: 180,
    connected_at_opening: 172,
  }[share.base];
  const needed = (whole * share.numerator) / share.denominator;
  const isMet = share.comparison === 'more_than' ? yes > needed : yes >= needed;
  return sampleResult({
    options: [option('Yes', yes, 'yes'), option('No', no, 'no'), option('Abstain', abstain, 'abstain')],
    votesCast: { heads: cast, weight: cast },
    decisionRule: { kind: 'majority', conditions: [share], onTie: 'rejected' },
    arithmetic: {
      quorum: null,
      sentence: '',
      checks: sample ? [{ ...sample, ...share, part: yes, whole, isMet, isTie: yes === no && !isMet }] : [],
    },
  });
}

function texts(result: Result): string[] {
  return sharesOf(result).rows.map(({ option: { text }, shares }) => `${text} ${shares.heads.text}`);
}

describe('the base of percentages', () => {
  it('is that of the decision rule, and is named', () => {
    const result = yesNo(60, 40, 25);
    expect(texts(result)).toEqual(['Yes 60\u00a0%', 'No 40\u00a0%', 'Abstain –']);
    expect(baseSentence(result)).toBe('Percentages are of the yes and no votes. Abstentions do not count.');
    const ofCast = yesNo(60, 40, 25, { base: 'votes_cast' });
    expect(texts(ofCast)).toEqual(['Yes 48\u00a0%', 'No 32\u00a0%', 'Abstain 20\u00a0%']);
    expect(baseSentence(ofCast)).toBe('Percentages are of the votes cast.');
    const ofRegister = yesNo(90, 36, 18, { base: 'whole_register' });
    expect(texts(ofRegister)).toEqual(['Yes 50\u00a0%', 'No 20\u00a0%', 'Abstain 10\u00a0%']);
    expect(baseSentence(ofRegister)).toBe('Percentages are of the register.');
  });

  it('is the votes cast without a rule, of which a voter may give several', () => {
    const result = sampleResult({
      options: [option('Roof', 3), option('Lifts', 4)],
      votesCast: { heads: 4, weight: 4 },
      decisionRule: null,
      decision: { outcome: 'undecided', elected: [], tie: null },
      arithmetic: { checks: [], quorum: null, sentence: '' },
    });
    expect(texts(result)).toEqual(['Lifts 100\u00a0%', 'Roof 75\u00a0%']);
  });

  it('is of all who are entitled or represented, also in a unit that no check measured', () => {
    const condition = (base: Condition['base']): Condition => ({
      units: 'heads',
      base,
      comparison: 'more_than',
      numerator: 1,
      denominator: 2,
    });
    const result = (base: Condition['base']) =>
      sampleResult({
        options: [option('Yes', 90, 'yes'), option('No', 60, 'no')],
        register: { heads: 150, weight: 150 },
        absent: { heads: 30, weight: 30 },
        present: { heads: 150, weight: 150 },
        represented: { heads: 50, weight: 50 },
        decisionRule: { kind: 'majority', conditions: [condition(base)], onTie: 'rejected' },
        arithmetic: { checks: [], quorum: null, sentence: '' },
      });
    expect(texts(result('whole_register'))).toEqual(['Yes 50\u00a0%', 'No 33\u00a0%']);
    expect(texts(result('connected_at_opening'))).toEqual(['Yes 45\u00a0%', 'No 30\u00a0%']);
  });

  it('is nothing without votes', () => {
    expect(texts(yesNo(0, 0, 0))).toEqual(['Yes –', 'No –', 'Abstain –']);
  });
});

describe('the digits of percentages', () => {
  it.each([
    ['are none where none matter', yesNo(120, 44, 0), ['Yes 73\u00a0%', 'No 27\u00a0%']],
    ['show that it is no tie', yesNo(501, 499, 0), ['Yes 50.1\u00a0%', 'No 49.9\u00a0%']],
    ['show a tie as one', yesNo(50, 50, 0), ['Yes 50\u00a0%', 'No 50\u00a0%']],
    [
      'show that the threshold was missed',
      yesNo(666, 334, 0, { comparison: 'at_least', numerator: 2, denominator: 3 }),
      ['Yes 66.6\u00a0%', 'No 33.4\u00a0%'],
    ],
    [
      'show that more than exactly two thirds was missed',
      yesNo(2, 1, 0, { numerator: 2, denominator: 3 }),
      ['Yes 66.67\u00a0%', 'No 33.33\u00a0%'],
    ],
    [
      'show that less than half is less, by any weight',
      yesNo(99.9999, 100, 0, { comparison: 'at_least' }),
      ['No 50.00003\u00a0%', 'Yes 49.99997\u00a0%'],
    ],
    ['show that less than all is less', yesNo(100, 0.0001, 0), ['Yes 99.9999\u00a0%', 'No 0.0001\u00a0%']],
    [
      'are not more than it takes',
      yesNo(66.666, 33.334, 0, { numerator: 2, denominator: 3 }),
      ['Yes 66.666\u00a0%', 'No 33.334\u00a0%'],
    ],
    ['show that one vote was against', yesNo(999, 1, 0), ['Yes 99.9\u00a0%', 'No 0.1\u00a0%']],
  ])('%s', (_, result, expected) => {
    expect(texts(result).slice(0, 2)).toEqual(expected);
  });

  it('keep the last elected and the first of the others apart', () => {
    const result = sampleResult({
      options: [option('Ada', 400), option('Bo', 251), option('Cleo', 249)],
      votesCast: { heads: 1000, weight: 1000 },
      decisionRule: { kind: 'plurality', unit: 'heads', seats: 2 },
      decision: { outcome: 'elected', elected: ['Ada', 'Bo'], tie: null },
      arithmetic: { checks: [], quorum: null, sentence: '' },
    });
    expect(texts(result)).toEqual(['Ada 40.0\u00a0%', 'Bo 25.1\u00a0%', 'Cleo 24.9\u00a0%']);
  });
});

describe('the needed share', () => {
  it('is a line on the bar of yes alone', () => {
    const [yes, no] = sharesOf(yesNo(60, 40, 0)).rows;
    expect(yes?.shares.heads.needed).toEqual([{ percent: 50, label: 'more than half' }]);
    expect(no?.shares.heads.needed).toEqual([]);
    expect(yes?.shares.weight.needed).toEqual([]);
  });

  it('of a second base is placed by its votes, and left out beyond the bar', () => {
    const result = yesNo(60, 40, 0);
    const [check] = result.arithmetic.checks;
    const second = (whole: number) => ({
      ...result,
      arithmetic: {
        ...result.arithmetic,
        checks: check ? [check, { ...check, base: 'whole_register' as const, whole }] : [],
      },
    });
    const neededOf = (whole: number) => sharesOf(second(whole)).rows[0]?.shares.heads.needed;
    expect(neededOf(160)).toEqual([
      { percent: 50, label: 'more than half' },
      { percent: 80, label: 'more than half of the register' },
    ]);
    expect(neededOf(240)).toHaveLength(1);
  });
});

describe('the order', () => {
  it('is by votes, equal ones as on the agenda, abstentions last and the elected first', () => {
    const result = sampleResult({
      options: [
        option('Ada', 2),
        option('Bo', 5),
        option('Cleo', 5),
        option('None', 9, 'abstain'),
        option('Dan', 1),
      ],
      votesCast: { heads: 9, weight: 9 },
      decisionRule: { kind: 'plurality', unit: 'heads', seats: 1 },
      decision: {
        outcome: 'elected',
        elected: ['Dan'],
        tie: { options: ['Bo', 'Cleo'], votes: 5, seats: 1 },
      },
      arithmetic: { checks: [], quorum: null, sentence: '' },
    });
    const { rows } = sharesOf(result);
    expect(rows.map(({ option: { text } }) => text)).toEqual(['Dan', 'Bo', 'Cleo', 'Ada', 'None']);
    expect(rows.filter(({ isElected }) => isElected).map(({ option: { text } }) => text)).toEqual(['Dan']);
    expect(rows.filter(({ isTied }) => isTied).map(({ option: { text } }) => text)).toEqual(['Bo', 'Cleo']);
  });
});
