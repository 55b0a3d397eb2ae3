import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../api/types';
import { sampleResult } from '../../test/result-samples';
import { formatNumber } from '../format';
import { decisionSentence, quorumSentence, quorumSentenceOf } from './chair-sentences';

type Check = Result['arithmetic']['checks'][number];
type Quorum = NonNullable<Result['arithmetic']['quorum']>;

interface NumberTexts {
  numbers: [number, string][];
  shares: [number, number, string, string][];
}

/** The tests of the minutes read the same examples. */
const { numbers, shares }: NumberTexts = JSON.parse(
  readFileSync('../crates/adapter-documents/tests/number_texts.json', 'utf8'),
);

function decided(
  change: Partial<Check>,
  outcome: Result['decision']['outcome'] = 'accepted',
  terms: Pick<Result, 'represented'> = {},
): string {
  const sample = sampleResult();
  const check = { ...(sample.arithmetic.checks[0] as Check), part: 4, whole: 6, ...change };
  return decisionSentence({
    decision: { ...sample.decision, outcome },
    arithmetic: { ...sample.arithmetic, checks: [check] },
    ...terms,
  });
}

function quorum(change: Partial<Quorum>, unit: 'heads' | 'weight' = 'heads'): Quorum {
  return {
    quorum: { comparison: 'at_least', numerator: 1, denominator: 2, unit, attendance: 'present' },
    attending: 8,
    register: 8,
    percent: 100,
    needed: { amount: 4, isEnough: true, isRoundedUp: false },
    isMet: true,
    sentence: 'as the server says it',
    ...change,
  };
}

describe('decisionSentence', () => {
  it('names the votes and the share that was needed, by heads and by weight', () => {
    expect(decided({})).toBe('4 of 6 votes were yes; more than half was needed. Accepted.');
    expect(decided({ comparison: 'at_least', numerator: 2, denominator: 3 })).toBe(
      '4 of 6 votes were yes; at least two thirds were needed. Accepted.',
    );
    expect(decided({ unit: 'weight' }, 'rejected')).toBe(
      'By weight, 4 of 6 were yes; more than half was needed. Rejected.',
    );
  });

  it('has the singular for one vote', () => {
    expect(decided({ part: 1, whole: 1 })).toContain('1 of 1 vote was yes;');
    expect(decided({ part: 1, whole: 3 })).toContain('1 of 3 votes was yes;');
    expect(decided({ part: 0, whole: 1 })).toContain('0 of 1 vote was yes;');
    expect(decided({ part: 1, whole: 3, base: 'whole_register' })).toContain(
      '1 of 3 votes in the register was yes;',
    );
  });

  it('names what the votes are a share of', () => {
    expect(decided({ base: 'whole_register' })).toContain('4 of 6 votes in the register were yes;');
    expect(decided({ base: 'votes_cast', unit: 'weight' })).toContain(
      'By weight, 4 of 6, abstentions included, were yes;',
    );
    expect(decided({ base: 'connected_at_opening' })).toContain('4 of 6 votes present were yes;');
    const represented = { heads: 1, weight: 1 };
    expect(decided({ base: 'connected_at_opening' }, 'accepted', { represented })).toContain(
      '4 of 6 votes present or represented were yes;',
    );
  });

  it('tells one from several', () => {
    expect(decided({ part: 1, whole: 1 })).toContain('1 of 1 vote was yes; more than half was needed.');
    expect(decided({ part: 1, whole: 3 })).toContain('1 of 3 votes was yes; more than half was needed.');
  });

  it('says how a tie was decided', () => {
    expect(decided({ part: 3, isTie: true, isMet: false }, 'rejected')).toBe(
      '3 of 6 votes were yes; more than half was needed. A tie is rejected. Rejected.',
    );
  });

  it('calls a casting vote open only where it decides', () => {
    const sample = sampleResult();
    const check = { ...(sample.arithmetic.checks[0] as Check), part: 3, whole: 6, isTie: true, isMet: false };
    const tied = (outcome: Result['decision']['outcome']) =>
      decisionSentence({
        decision: { ...sample.decision, outcome },
        arithmetic: { ...sample.arithmetic, checks: [check] },
        decisionRule: { kind: 'majority', conditions: [], onTie: 'casting_vote' },
      });
    expect(tied('casting_vote_open')).toContain(' A tie: the casting vote is open. ');
    expect(tied('rejected')).toContain(' A tie: a casting vote would not change the result. ');
  });

  it('gives the quorum as the reason where it was not met', () => {
    const sample = sampleResult();
    const arithmetic = { ...sample.arithmetic, checks: [], quorum: quorum({ attending: 3, isMet: false }) };
    expect(decisionSentence({ decision: { ...sample.decision, outcome: 'quorum_missed' }, arithmetic })).toBe(
      'Quorum not met: 3 present, 4 needed.',
    );
  });

  it('keeps the sentence of the server for rules without a majority', () => {
    const sample = sampleResult();
    const arithmetic = { ...sample.arithmetic, checks: [], sentence: 'Elected: Anna' };
    expect(decisionSentence({ decision: { ...sample.decision, outcome: 'elected' }, arithmetic })).toBe(
      'Elected: Anna.',
    );
  });
});

describe('numbers, as in the minutes', () => {
  it.each(numbers)('%d is "%s"', (number, text) => {
    expect(formatNumber(number)).toBe(text);
    const were = number === 1 ? 'was' : 'were';
    expect(decided({ part: number })).toContain(`${text} of 6 votes ${were} yes`);
  });

  it.each(shares)('a share of %d/%d is "%s"', (numerator, denominator, text, verb) => {
    expect(decided({ numerator, denominator })).toContain(`more than ${text} ${verb} needed`);
  });
});

describe('quorumSentence', () => {
  it('names those present or voting, and how many were needed', () => {
    expect(quorumSentence(quorum({}))).toBe('Quorum met: 8 present, 4 needed.');
    expect(quorumSentence(quorum({ attending: 3, isMet: false }))).toBe(
      'Quorum not met: 3 present, 4 needed.',
    );
    expect(quorumSentence(quorum({}, 'weight'))).toBe('Quorum met: weight 8 present, 4 needed.');
  });

  it('says that the figure includes proxies', () => {
    const proxies = {
      ...quorum({ attending: 47, needed: { amount: 30, isEnough: true, isRoundedUp: false } }),
    };
    const sentence = (represented?: Result['represented'], of = proxies) =>
      quorumSentenceOf({ arithmetic: { ...sampleResult().arithmetic, quorum: of }, represented });
    expect(sentence({ heads: 3, weight: 4 })).toBe('Quorum met: 47 present or represented, 30 needed.');
    expect(sentence()).toBe('Quorum met: 47 present, 30 needed.');
    const voted = { ...proxies, quorum: { ...proxies.quorum, attendance: 'voted' as const } };
    expect(sentence({ heads: 3, weight: 4 }, voted)).toBe('Quorum met: 47 voted, 30 needed.');
  });

  it('says when the number itself is not enough, and when nobody may vote', () => {
    const border = { amount: 4, isEnough: false, isRoundedUp: false };
    expect(quorumSentence(quorum({ needed: border }))).toBe('Quorum met: 8 present, more than 4 needed.');
    expect(quorumSentence(quorum({ needed: null, attending: 0, isMet: false }))).toBe(
      'Quorum not met: 0 present, nobody may vote.',
    );
  });
});
