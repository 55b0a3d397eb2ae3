import { expect, it } from 'vitest';
import { addLast, isEqualToBefore, move, moveTo, rankOf, remove, toggleEqual } from './ranking';

it('puts a candidate last, and takes one out without a gap', () => {
  expect(addLast([[3], [1]], 2)).toEqual([[3], [1], [2]]);
  expect(remove([[3], [1], [2]], 1)).toEqual([[3], [2]]);
  expect(rankOf([[3], [1, 2]], 2)).toBe(2);
  expect(rankOf([[3]], 9)).toBe(0);
});

it('moves a candidate by one rank, and not beyond the ends', () => {
  expect(move([[1], [2], [3]], 2, 'up')).toEqual([[2], [1], [3]]);
  expect(move([[1], [2], [3]], 2, 'down')).toEqual([[1], [3], [2]]);
  expect(move([[1], [2]], 1, 'up')).toEqual([[1], [2]]);
  expect(move([[1], [2]], 2, 'down')).toEqual([[1], [2]]);
});

it('moves a candidate out of a shared rank first', () => {
  expect(move([[1, 2, 3], [4]], 2, 'up')).toEqual([[2], [1, 3], [4]]);
  expect(move([[1, 2, 3], [4]], 2, 'down')).toEqual([[1, 3], [2], [4]]);
});

it('moves a candidate to the place of another one', () => {
  expect(moveTo([[1], [2], [3], [4]], 4, 1)).toEqual([[4], [1], [2], [3]]);
  expect(moveTo([[1], [2], [3], [4]], 1, 3)).toEqual([[2], [3], [1], [4]]);
  expect(moveTo([[1], [2, 3], [4]], 4, 3)).toEqual([[1], [4], [2, 3]]);
  expect(moveTo([[1], [2, 3], [4]], 2, 4)).toEqual([[1], [3], [4], [2]]);
  expect(moveTo([[1], [2]], 1, 1)).toEqual([[1], [2]]);
});

it('shares the rank of the one before, and parts again', () => {
  const shared = toggleEqual([[1], [2], [3]], 2);
  expect(shared).toEqual([[1, 2], [3]]);
  expect(isEqualToBefore(shared, 2)).toBe(true);
  expect(isEqualToBefore(shared, 1)).toBe(false);
  expect(toggleEqual(shared, 2)).toEqual([[1], [2], [3]]);
  expect(toggleEqual([[1], [2]], 1)).toEqual([[1], [2]]);
});
