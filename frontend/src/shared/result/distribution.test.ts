import { expect, it } from 'vitest';
import { distributionBars } from './distribution';

it('keeps a bar per value while they can be read', () => {
  const bars = distributionBars([
    { value: 0, heads: 3, weight: 3 },
    { value: 37.5, heads: 1, weight: 2 },
  ]);
  expect(bars).toEqual([
    { label: '0', heads: 3 },
    { label: '37.5', heads: 1 },
  ]);
});

it('gathers many values by tens, and 100 with the last ones', () => {
  const values = [0, 5, 9.9999, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
  const bars = distributionBars(values.map((value) => ({ value, heads: 1, weight: 2 })));
  expect(bars).toHaveLength(10);
  expect(bars[0]).toEqual({ label: '0 to under 10', heads: 3 });
  expect(bars[9]).toEqual({ label: '90 to 100', heads: 2 });
  expect(bars.reduce((sum, { heads }) => sum + heads, 0)).toBe(values.length);
});
