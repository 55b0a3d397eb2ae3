import * as z from 'zod/mini';
import { textLength } from '../../../shared/text-length';

/** The limit of the server. */
export const REASON_LENGTH = 500;

const reason = z.string().check(
  z.trim(),
  z.minLength(1, { error: 'Enter the reason' }),
  z.refine((text) => textLength(text) <= REASON_LENGTH, { error: `At most ${REASON_LENGTH} characters` }),
);

export const reasonFormSchema = z.object({ reason });

/** A reason and its person. */
export const personFormSchema = z.object({
  endUserId: z.string().check(z.minLength(1, { error: 'Choose a person' })),
  reason,
});

export type ReasonFormValues = z.infer<typeof reasonFormSchema>;
export type PersonFormValues = z.infer<typeof personFormSchema>;
