import { expect, test } from 'vitest';
import { look, lookDifferent } from './look';

test.each([
  ['A', 'A\u3164'],
  ['A', 'a\u034f'],
  ['A\ufe0f', 'A\u{e0041}'],
  ['A', 'A\u2800'],
  ['A B', 'A\u00a0B'],
  ['A B', ' A\u2003 B '],
  ['\u00e9', 'e\u034f\u0301'],
])('%j and %j look the same', (one, other) => {
  expect(look(one)).toBe(look(other));
  expect(lookDifferent([one, other])).toBe(false);
});

test('other texts look different', () => {
  expect(lookDifferent(['Yes', 'No', 'A B', 'AB', '1', '11'])).toBe(true);
});
