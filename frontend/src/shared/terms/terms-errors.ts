import type { ReactNode } from 'react';

/** The messages below a place in the form, by what is left of their path: "decisionRule.seats" as "seats". */
export function errorsUnder(errors: Record<string, ReactNode>, path: string): Record<string, ReactNode> {
  const start = `${path}.`;
  return Object.fromEntries(
    Object.entries(errors).flatMap(([field, message]) =>
      field.startsWith(start) ? [[field.slice(start.length), message]] : [],
    ),
  );
}

/** Whether anything is wrong there, or below. */
export function hasErrorsAt(errors: Record<string, ReactNode>, path: string): boolean {
  return Object.keys(errors).some((field) => field === path || field.startsWith(`${path}.`));
}

/** The messages of a form without those at this place and below it. */
export function withoutErrorsAt<Message>(
  errors: Record<string, Message>,
  path: string,
): Record<string, Message> {
  return Object.fromEntries(
    Object.entries(errors).filter(([field]) => field !== path && !field.startsWith(`${path}.`)),
  );
}
