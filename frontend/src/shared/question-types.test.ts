import { expect, it } from 'vitest';
import { optionLetter } from './question-types';

it.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [51, 'AZ'],
  [52, 'BA'],
  [701, 'ZZ'],
  [702, 'AAA'],
])('letters option %i as %s: no two options share one', (position, letter) => {
  expect(optionLetter(position)).toBe(letter);
});
