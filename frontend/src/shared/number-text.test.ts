import { describe, expect, it } from 'vitest';
import { numberOf, numberProblem, readNumber, wholeNumber } from './number-text';
import { lengthProblem } from './text-length';

const rule = wholeNumber(100, 'A whole number from 1 to 100.');

describe('a whole number', () => {
  it.each([
    ['1', '1'],
    [' 100 ', '100'],
    ['012', '12'],
  ])('is read from %j', (text, plain) => {
    expect(readNumber(text, rule)).toBe(plain);
    expect(numberProblem(text, rule)).toBeNull();
  });

  it.each(['0', '101', '5.0', '1,000', '1.000', '1e1', '+5', '-5', '٣', '5 0', '0x10', '9'.repeat(400)])(
    'is not read from %j',
    (text) => {
      expect(readNumber(text, rule)).toBeNull();
      expect(numberOf(text, rule)).toBeNaN();
      expect(numberProblem(text, rule)).toBe('A whole number from 1 to 100.');
    },
  );

  it('is not missed while nothing is typed', () => {
    expect(numberProblem(' ', rule)).toBeNull();
    expect(numberOf('', rule)).toBeNaN();
  });
});

it('a number is not rounded into what is allowed', () => {
  const percent = { least: 0, most: 100, decimals: 4, wanted: '' };
  expect(readNumber(`100.${'0'.repeat(30)}1`, percent)).toBeNull();
  expect(readNumber(`12.3456${'0'.repeat(30)}`, percent)).toBe('12.3456');
});

it('the length of a text is counted as the server counts it', () => {
  expect(lengthProblem(' e\u0301👍 ', 2)).toBeNull();
  expect(lengthProblem('abc', 2)).toBe('At most 2 characters. This is 3.');
});
