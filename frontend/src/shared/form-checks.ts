import * as z from 'zod/mini';
import { passwordProblem } from './account/new-password';
import { textLength } from './text-length';

/*
 * Everything that the server would refuse and the form can know, so that all of it is said at once: first what is missing and
 * only then what is too long would send a person through the form twice.
 */

/** A text that may be empty. */
export function upTo(most: number) {
  return z.string().check(
    z.refine((text) => textLength(text) <= most, {
      error: `Must be at most ${most.toLocaleString('en-GB')} characters long.`,
    }),
  );
}

/** A text that may not. `missing`: what is said where it is. */
export function filledUpTo(most: number, missing: string) {
  return upTo(most).check(z.refine((text) => text.trim() !== '', { error: missing }));
}

const LONGEST_EMAIL = 254;

export function isEmail(text: string): boolean {
  return textLength(text) <= LONGEST_EMAIL && z.email().safeParse(text.trim()).success;
}

function checkPassword(context: { value: string; issues: z.core.$ZodRawIssue[] }): void {
  const message = passwordProblem(context.value, 'Minimum 8 characters');
  if (message !== null) {
    context.issues.push({ code: 'custom', message, input: context.value });
  }
}

/** A password that one person thinks up for another. */
export const passwordForOthers = z.string().check(checkPassword);

/** The same where it may be left empty, so that the present one stays. */
export const newPasswordForOthers = z.string().check((context) => {
  if (context.value !== '') {
    checkPassword(context);
  }
});
