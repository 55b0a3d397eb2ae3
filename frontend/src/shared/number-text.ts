/**
 * Reads numbers as people type them. A field keeps the typed text. No text is cut, rounded or completed to make it a
 * number.
 */
export interface NumberRule {
  least: number;
  most: number;
  /** The most digits before the decimals, in place of `most`, for numbers that stay texts: from 16 digits on, JavaScript rounds. */
  wholeDigits?: number;
  /** The most decimals that the server accepts; 0 for a whole number. */
  decimals: number;
  /** The rule as a sentence. */
  wanted: string;
}

/** A percentage, as the server reads it on a ballot. */
export const PERCENTAGE: NumberRule = {
  least: 0,
  most: 100,
  decimals: 4,
  wanted: 'Enter a number from 0 to 100 with at most 4 decimals, such as 33.5.',
};

/** A point or a comma before the decimals. A whole number has neither: "1,000" would be read as 1. */
const DECIMAL = /^(\d+[.,]?\d*|[.,]\d+)$/;
const WHOLE = /^\d+$/;

/** The number in plain digits ("33,50" as "33.5"); null if the text is not a number that the rule allows. */
export function readNumber(text: string, rule: NumberRule): string | null {
  const { least, most, wholeDigits, decimals } = rule;
  const written = text.trim();
  if (!(decimals > 0 ? DECIMAL : WHOLE).test(written)) {
    return null;
  }
  const [whole = '', fraction = ''] = written.replace(',', '.').split('.');
  const digits = whole.replace(/^0+(?=\d)/, '') || '0';
  const rest = fraction.replace(/0+$/, '');
  const plain = rest ? `${digits}.${rest}` : digits;
  // Compared as a number only after its length is checked: numbers of 17 digits or more would be rounded.
  const isWithin =
    wholeDigits === undefined
      ? digits.length <= 15 && Number(plain) >= least && Number(plain) <= most
      : digits.length <= wholeDigits;
  return rest.length <= decimals && isWithin ? plain : null;
}

/** The same, with an optional percent sign after it. */
export function readPercentage(text: string): string | null {
  return readNumber(text.trim().replace(/%$/, ''), PERCENTAGE);
}

/** The text as a number; NaN if the rule does not allow it. */
export function numberOf(text: string, rule: NumberRule): number {
  const plain = readNumber(text, rule);
  return plain === null ? Number.NaN : Number(plain);
}

/** The error of the text; null if it is empty or valid. */
export function numberProblem(text: string, rule: NumberRule): string | null {
  return text.trim() === '' || readNumber(text, rule) !== null ? null : rule.wanted;
}

/** A rule for whole numbers from 1 on. */
export function wholeNumber(most: number, wanted: string, least = 1): NumberRule {
  return { least, most, decimals: 0, wanted };
}
