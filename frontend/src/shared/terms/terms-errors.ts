import type { ReactNode } from 'react';

/** The errors below a path in the form, with the path removed: "decisionRule.seats" as "seats". */
export function errorsUnder(errors: Record<string, ReactNode>, path: string): Record<string, ReactNode> {
  const start = `${path}.`;
  return Object.fromEntries(
    Object.entries(errors).flatMap(([field, message]) =>
      field.startsWith(start) ? [[field.slice(start.length), message]] : [],
    ),
  );
}

/** Whether there is an error at this path or below it. */
export function hasErrorsAt(errors: Record<string, ReactNode>, path: string): boolean {
  return Object.keys(errors).some((field) => field === path || field.startsWith(`${path}.`));
}

/** The errors of a form without those at this path and below it. */
export function withoutErrorsAt<Message>(
  errors: Record<string, Message>,
  path: string,
): Record<string, Message> {
  return Object.fromEntries(
    Object.entries(errors).filter(([field]) => field !== path && !field.startsWith(`${path}.`)),
  );
}
