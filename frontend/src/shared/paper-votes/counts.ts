import { numberOf, wholeNumber } from '../number-text';
import type { DraftCount } from './paper-draft';

/** The most ballots in a batch. */
export const MOST = 100;

export const COUNT = wholeNumber(MOST, `Must be a whole number from 0 to ${MOST}.`, 0);

/** The number of ballots with these answers: 0 for an empty field, NaN for an invalid one. */
function ballotsWith({ number }: DraftCount): number {
  return number.trim() === '' ? 0 : numberOf(number, COUNT);
}

/** The number of all ballots; NaN if a field is not valid. */
export function sumOf(counts: DraftCount[]): number {
  return counts.reduce((sum, count) => sum + ballotsWith(count), 0);
}

/** The numbers to send. */
export function countsOf(counts: DraftCount[]): { answers: string[]; count: number }[] {
  return counts
    .map((one) => ({ answers: one.answers, count: ballotsWith(one) }))
    .filter(({ count }) => count > 0);
}

/** The numbers with this one for these answers. */
export function withCount(counts: DraftCount[], answers: string[], number: string): DraftCount[] {
  return counts.some((one) => areSame(one.answers, answers))
    ? counts.map((one) => (areSame(one.answers, answers) ? { answers, number } : one))
    : [...counts, { answers, number }];
}

export function withoutCount(counts: DraftCount[], answers: string[]): DraftCount[] {
  return counts.filter((one) => !areSame(one.answers, answers));
}

/** The number for these answers, as typed. */
export function numberFor(counts: DraftCount[], answers: string[]): string {
  return counts.find((one) => areSame(one.answers, answers))?.number ?? '';
}

function areSame(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((answer, place) => answer === other[place]);
}
