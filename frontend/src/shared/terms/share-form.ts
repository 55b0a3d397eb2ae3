import type { Condition } from '../../api/types';
import { type NumberRule, numberOf, wholeNumber } from '../number-text';

type Share = Pick<Condition, 'comparison' | 'numerator' | 'denominator'>;
export type Comparison = Share['comparison'];

/** A share of a base, in a form. */
export interface ShareFields {
  comparison: Comparison;
  /** "2/3", or 'own' for the two numbers. */
  fraction: string;
  /** As typed. */
  numerator: string;
  denominator: string;
}

export const usualFractions = ['1/2', '2/3', '3/4'];

const LARGEST_DENOMINATOR = 1_000_000;

export const denominatorRule = wholeNumber(
  LARGEST_DENOMINATOR,
  'Must be a whole number from 1 to 1,000,000.',
);

/** From 1 to the denominator, once that is valid. */
export function numeratorRule({ denominator }: Pick<ShareFields, 'denominator'>): NumberRule {
  const below = numberOf(denominator, denominatorRule);
  return Number.isNaN(below)
    ? denominatorRule
    : wholeNumber(below, `Must be a whole number from 1 to ${below}.`);
}

export const half: ShareFields = {
  comparison: 'more_than',
  fraction: '1/2',
  numerator: '1',
  denominator: '2',
};

export function fromShare({ comparison, numerator, denominator }: Share): ShareFields {
  const fraction = `${numerator}/${denominator}`;
  return {
    comparison,
    fraction: usualFractions.includes(fraction) ? fraction : 'own',
    numerator: String(numerator),
    denominator: String(denominator),
  };
}

/** The numbers are NaN if the server would not accept the texts. */
export function toShare({ comparison, fraction, numerator, denominator }: ShareFields): Share {
  if (fraction === 'own') {
    const above = numberOf(numerator, numeratorRule({ denominator }));
    return { comparison, numerator: above, denominator: numberOf(denominator, denominatorRule) };
  }
  const [above = 1, below = 2] = fraction.split('/').map(Number);
  return { comparison, numerator: above, denominator: below };
}

/** The errors of the share, by field, in the server's words. */
export function shareIssues(fields: ShareFields): Record<string, string> {
  const { comparison, numerator, denominator } = toShare(fields);
  const issues = {
    ...(Number.isNaN(denominator) ? { denominator: denominatorRule.wanted } : {}),
    ...(Number.isNaN(numerator) ? { numerator: numeratorRule(fields).wanted } : {}),
  };
  if (Object.keys(issues).length > 0) {
    return issues;
  }
  return comparison === 'more_than' && numerator === denominator
    ? { comparison: 'More than the whole is impossible. Choose at least.' }
    : {};
}

/** Prefixes the error paths of a part of a form with its path in the whole form. */
export function under(path: string, issues: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(issues).map(([field, message]) => [`${path}.${field}`, message]));
}
