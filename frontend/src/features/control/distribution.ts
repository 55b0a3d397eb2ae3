import type { Result } from '../../api/types';

type Distribution = NonNullable<Result['numbers']>['distribution'];

export interface DistributionRow {
  label: string;
  heads: number;
  weight: number;
}

const MOST_ROWS = 12;
const BIN = 10;

/** One row per value; where there are too many to be read, one per ten. */
export function distributionRows(distribution: Distribution): DistributionRow[] {
  const sorted = [...distribution].sort((left, right) => left.value - right.value);
  if (sorted.length <= MOST_ROWS) {
    return sorted.map(({ value, heads, weight }) => ({ label: String(value), heads, weight }));
  }
  // The last bin takes 100 as well.
  return Array.from({ length: 100 / BIN }, (_, bin) => {
    const from = bin * BIN;
    const isLast = from + BIN === 100;
    const inBin = sorted.filter(
      ({ value }) => value >= from && (value < from + BIN || (isLast && value <= 100)),
    );
    return {
      label: isLast ? `${from} to 100` : `${from} to under ${from + BIN}`,
      heads: inBin.reduce((sum, { heads }) => sum + heads, 0),
      weight: inBin.reduce((sum, { weight }) => sum + weight, 0),
    };
  });
}
