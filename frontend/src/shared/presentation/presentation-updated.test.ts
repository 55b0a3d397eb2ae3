import { expect, it } from 'vitest';
import { ageInWords } from './presentation-updated';

it.each([
  [-5_000, 'a moment'],
  [9_999, 'a moment'],
  [10_000, '10 seconds'],
  [59_999, '50 seconds'],
  [60_000, '1 minute'],
  [119_999, '1 minute'],
  [120_000, '2 minutes'],
  [3_599_999, '59 minutes'],
  [3_600_000, '1 hour'],
  [10_800_000, '3 hours'],
])('says how long %i ms are', (ageMs, words) => {
  expect(ageInWords(ageMs)).toBe(words);
});
