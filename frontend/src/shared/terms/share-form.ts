import type { Condition } from '../../api/types';

type Share = Pick<Condition, 'comparison' | 'numerator' | 'denominator'>;
export type Comparison = Share['comparison'];

/** A share of something, as it is edited. */
export interface ShareFields {
  comparison: Comparison;
  /** "2/3", or 'own' for the two numbers. */
  fraction: string;
  // A number field that was emptied holds ''.
  numerator: number | string;
  denominator: number | string;
}

export const usualFractions = ['1/2', '2/3', '3/4'];

const LARGEST_DENOMINATOR = 1_000_000;

export const half: ShareFields = { comparison: 'more_than', fraction: '1/2', numerator: 1, denominator: 2 };

export function fromShare({ comparison, numerator, denominator }: Share): ShareFields {
  const fraction = `${numerator}/${denominator}`;
  return {
    comparison,
    fraction: usualFractions.includes(fraction) ? fraction : 'own',
    numerator,
    denominator,
  };
}

export function toShare({ comparison, fraction, numerator, denominator }: ShareFields): Share {
  if (fraction === 'own') {
    return { comparison, numerator: Number(numerator), denominator: Number(denominator) };
  }
  const [above = 1, below = 2] = fraction.split('/').map(Number);
  return { comparison, numerator: above, denominator: below };
}

/** What is wrong with it, by field, in the words of the server. */
export function shareIssues(fields: ShareFields): Record<string, string> {
  const { comparison, numerator, denominator } = toShare(fields);
  if (!isWithin(denominator, LARGEST_DENOMINATOR)) {
    return { denominator: 'Must be a whole number from 1 to 1,000,000.' };
  }
  if (!isWithin(numerator, denominator)) {
    return { numerator: `Must be a whole number from 1 to ${denominator}.` };
  }
  return comparison === 'more_than' && numerator === denominator
    ? { comparison: 'More than all cannot be reached. Say at least.' }
    : {};
}

export function isWithin(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most;
}

/** Messages of a part of a form, by their place in the whole of it. */
export function under(path: string, issues: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(issues).map(([field, message]) => [`${path}.${field}`, message]));
}
