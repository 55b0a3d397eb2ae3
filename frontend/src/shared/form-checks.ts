import * as z from 'zod/mini';
import { passwordProblem } from './account/new-password';
import { textLength } from './text-length';

/* The form checks every rule that it can check without the server, and reports all errors at once. Reporting missing
   fields first and long texts later would need a second try. */

/** A text that may be empty. */
export function upTo(most: number) {
  return z.string().check(
    z.refine((text) => textLength(text) <= most, {
      error: `Must be at most ${most.toLocaleString('en-GB')} characters long.`,
    }),
  );
}

/** A text that must not be empty. `missing` is the message for an empty one. */
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

/** A password that one person sets for another. */
export const passwordForOthers = z.string().check(checkPassword);

/** The same, but it may be empty to keep the current password. */
export const newPasswordForOthers = z.string().check((context) => {
  if (context.value !== '') {
    checkPassword(context);
  }
});
