import { expect, it } from 'vitest';
import { isEnding, secondsLeft } from './countdown';

const CLOSES_AT = '2026-11-21T18:00:00Z';
const time = Date.parse(CLOSES_AT);

it.each([
  [60_000, 60],
  [59_001, 60],
  [1, 1],
  [0, 0],
  [-7_200_000, 0],
])('%i ms before the end it counts %i', (leftMs, seconds) => {
  expect(secondsLeft(CLOSES_AT, time - leftMs)).toBe(seconds);
});

it.each([
  [11, false],
  [10, true],
  [0, true],
])('of %i seconds says whether they are the last ones: %s', (seconds, expected) => {
  expect(isEnding(seconds)).toBe(expected);
});
