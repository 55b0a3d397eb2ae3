import { expect, it } from 'vitest';
import { distributionRows } from './distribution';

it('keeps a row per value while they can be read', () => {
  const rows = distributionRows([
    { value: 37.5, heads: 1, weight: 2 },
    { value: 0, heads: 3, weight: 3 },
  ]);
  expect(rows).toEqual([
    { label: '0', heads: 3, weight: 3 },
    { label: '37.5', heads: 1, weight: 2 },
  ]);
});

it('gathers many values by tens, and 100 with the last ones', () => {
  const values = [0, 5, 9.99, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
  const rows = distributionRows(values.map((value) => ({ value, heads: 1, weight: 2 })));
  expect(rows).toHaveLength(10);
  expect(rows[0]).toEqual({ label: '0 to under 10', heads: 3, weight: 6 });
  expect(rows[9]).toEqual({ label: '90 to 100', heads: 2, weight: 4 });
  expect(rows.reduce((sum, { heads }) => sum + heads, 0)).toBe(values.length);
});
