import type { Result } from '../../api/types';
import { formatNumber } from '../format';

type Distribution = NonNullable<Result['numbers']>['distribution'];

export interface DistributionBar {
  label: string;
  heads: number;
}

const MOST_BARS = 12;
const CLASS = 10;

/** Whether there are too many values for a bar each. */
export function isGathered(distribution: Distribution): boolean {
  return distribution.length > MOST_BARS;
}

/** One bar per value, or one per ten values if there are too many to read. The table next to it lists every value. */
export function distributionBars(distribution: Distribution): DistributionBar[] {
  if (!isGathered(distribution)) {
    return distribution.map(({ value, heads }) => ({ label: formatNumber(value), heads }));
  }
  // The last class includes 100.
  return Array.from({ length: 100 / CLASS }, (_, index) => {
    const from = index * CLASS;
    const isLast = from + CLASS === 100;
    const inClass = distribution.filter(({ value }) => value >= from && (value < from + CLASS || isLast));
    return {
      label: isLast ? `${from} to 100` : `${from} to under ${from + CLASS}`,
      heads: inClass.reduce((sum, { heads }) => sum + heads, 0),
    };
  });
}

/** The votes of the highest bar, and at least 1, to scale all bars by. */
export function highestBar(bars: readonly DistributionBar[]): number {
  return Math.max(1, ...bars.map(({ heads }) => heads));
}
