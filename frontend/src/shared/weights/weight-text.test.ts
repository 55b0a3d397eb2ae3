import { describe, expect, it } from 'vitest';
import { numberProblem, readNumber } from '../number-text';
import { formatWeightText, plainWeight, weightRuleOf } from './weight-text';

const AREA = { decimals: 2 };

describe('a value of a kind of weight', () => {
  it.each([
    ['250.5', '250.5'],
    ['250,50', '250.5'],
    [' 007 ', '7'],
    ['', '0'],
    ['999999999999999999.99', '999999999999999999.99'],
  ])('sends %j as %j, with all its digits', (typed, sent) => {
    expect(plainWeight(typed, AREA)).toBe(sent);
  });

  it.each(['1000000000000000000', '2.555', '-1', '1e3', '1,000.5', 'abc'])('refuses %j', (typed) => {
    expect(readNumber(typed, weightRuleOf(AREA))).toBeNull();
    expect(numberProblem(typed, weightRuleOf(AREA))).toBe(
      'Must be a number from 0 with at most 18 digits before the point and at most 2 decimals.',
    );
  });

  it('takes no decimals of a kind without them', () => {
    expect(numberProblem('2.5', weightRuleOf({ decimals: 0 }))).toBe(
      'Must be a whole number from 0 with at most 18 digits.',
    );
  });

  it('groups its thousands without rounding', () => {
    expect(formatWeightText('123456789012345678.5')).toBe('123,456,789,012,345,678.5');
    expect(formatWeightText('1000.00')).toBe('1,000');
    expect(formatWeightText('0')).toBe('0');
  });
});
