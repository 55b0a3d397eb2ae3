import type { Result } from '../../api/types';
import { formatNumber, PERCENT_SIGN } from '../format';

type Numbers = NonNullable<Result['numbers']>;

/** A result whose answers are numbers. */
export type NumbersResult = Pick<Result, 'questionType' | 'ratingMax'> & { numbers: Numbers };

export interface DistributionBar {
  label: string;
  heads: number;
}

export interface Scale {
  /** The whole axis, also where nobody answered: one bar for each rating, or for ten percent. */
  bars: DistributionBar[];
  /** The place of a value on the axis, in percent of its length. */
  placeOf: (value: number) => number;
  /** The marks between the bars; without them, each bar has its label. */
  ticks: string[] | null;
}

const CLASS = 10;
const HUNDRED = 100;
const DEFAULT_MAX = 5;

/** The answers on their true axis: all ratings from 1 on, or all percentages from 0 to 100. */
export function scaleOf(result: NumbersResult): Scale {
  return result.questionType === 'PERCENTAGE' ? percentageScale(result.numbers) : ratingScale(result);
}

/** The highest rating of a question. */
export function highestRating({ ratingMax, numbers }: NumbersResult): number {
  return ratingMax ?? Math.max(DEFAULT_MAX, ...numbers.distribution.map(({ value }) => value));
}

function ratingScale(result: NumbersResult): Scale {
  const max = highestRating(result);
  const heads = new Map(result.numbers.distribution.map((entry) => [entry.value, entry.heads]));
  return {
    bars: Array.from({ length: max }, (_, index) => ({
      label: formatNumber(index + 1),
      heads: heads.get(index + 1) ?? 0,
    })),
    placeOf: (value) => ((value - 0.5) / max) * HUNDRED,
    ticks: null,
  };
}

function percentageScale({ distribution }: Numbers): Scale {
  const classes = HUNDRED / CLASS;
  return {
    bars: Array.from({ length: classes }, (_, index) => {
      const from = index * CLASS;
      // The last class includes 100.
      const isLast = index === classes - 1;
      const inClass = distribution.filter(({ value }) => value >= from && (value < from + CLASS || isLast));
      return {
        label: `${isLast ? `${from} to 100` : `${from} to under ${from + CLASS}`}${PERCENT_SIGN}`,
        heads: inClass.reduce((sum, { heads }) => sum + heads, 0),
      };
    }),
    placeOf: (value) => value,
    ticks: Array.from({ length: classes + 1 }, (_, index) => String(index * CLASS)),
  };
}

/** The votes of the highest bar, and at least 1, to scale all bars by. */
export function highestBar(bars: readonly DistributionBar[]): number {
  return Math.max(1, ...bars.map(({ heads }) => heads));
}
