import type { WeightKind } from '../../api/types';
import { type NumberRule, readNumber } from '../number-text';

/** The server accepts values below 10 to the power of 18. */
const WHOLE_DIGITS = 18;

/** The rule for a person's value of a kind. Values are texts, because JavaScript rounds numbers of more than 15 digits. */
export function weightRuleOf({ decimals }: Pick<WeightKind, 'decimals'>): NumberRule {
  return {
    least: 0,
    most: Number.MAX_VALUE,
    wholeDigits: WHOLE_DIGITS,
    decimals,
    wanted: `Must be ${decimals === 0 ? 'a whole number' : 'a number'} from 0 with at most ${WHOLE_DIGITS} digits${decimalsWords(decimals)}.`,
  };
}

function decimalsWords(decimals: number): string {
  if (decimals === 0) {
    return '';
  }
  return ` before the point and at most ${decimals === 1 ? '1 decimal' : `${decimals} decimals`}`;
}

/** A typed value as the server takes it: "0" for an empty field. An invalid text stays as it is, and the server refuses it. */
export function plainWeight(text: string, kind: Pick<WeightKind, 'decimals'> | undefined): string {
  if (text.trim() === '') {
    return '0';
  }
  return kind ? (readNumber(text, weightRuleOf(kind)) ?? text) : text;
}

/** "12345.50" as "12,345.5", with all its digits. */
export function formatWeightText(value: string): string {
  const [whole = '', fraction = ''] = value.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const rest = fraction.replace(/0+$/, '');
  return rest ? `${grouped}.${rest}` : grouped;
}
