import { expect, it } from 'vitest';
import { type NumbersResult, scaleOf } from './distribution';

function resultOf(
  questionType: NumbersResult['questionType'],
  values: number[],
  ratingMax: number | null = null,
) {
  const distribution = values.map((value) => ({ value, heads: 1, weight: 2 }));
  return {
    questionType,
    ratingMax,
    numbers: { mean: null, weightedMean: null, median: null, weightedMedian: null, distribution },
  };
}

it('has a bar for each rating, also for those that nobody gave', () => {
  const { bars, placeOf, ticks } = scaleOf(resultOf('RATING', [4, 2], 5));
  expect(bars.map(({ label, heads }) => `${label}: ${heads}`)).toEqual([
    '1: 0',
    '2: 1',
    '3: 0',
    '4: 1',
    '5: 0',
  ]);
  expect(placeOf(3)).toBe(50);
  expect(ticks).toBeNull();
});

it('gathers percentages by tens from 0 to 100, and 100 with the last ones', () => {
  const values = [0, 5, 9.9999, 10, 20, 30, 40, 60, 70, 80, 90, 100];
  const { bars, placeOf, ticks } = scaleOf(resultOf('PERCENTAGE', values));
  expect(bars).toHaveLength(10);
  expect(bars[0]).toEqual({ label: '0 to under 10\u00a0%', heads: 3 });
  expect(bars[5]).toEqual({ label: '50 to under 60\u00a0%', heads: 0 });
  expect(bars[9]).toEqual({ label: '90 to 100\u00a0%', heads: 2 });
  expect(bars.reduce((sum, { heads }) => sum + heads, 0)).toBe(values.length);
  expect(placeOf(61.4)).toBe(61.4);
  expect(ticks).toEqual(['0', '10', '20', '30', '40', '50', '60', '70', '80', '90', '100']);
});
