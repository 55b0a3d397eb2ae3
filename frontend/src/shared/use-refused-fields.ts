import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { useRef } from 'react';

type Messages = Record<string, ReactNode>;

/** Keeps the server's errors next to those of the form's own check, as long as the refused values are unchanged. */
export function useRefusedFields<Values extends object>(form: UseFormReturnType<Values>) {
  const refused = useRef<{ errors: Messages; values: Values } | null>(null);

  function holds(path: string, then: Values, now: Values): boolean {
    const field = path.split('.')[0] as keyof Values;
    // An error without a field of that name depends on all of them.
    return field in now
      ? JSON.stringify(then[field]) === JSON.stringify(now[field])
      : JSON.stringify(then) === JSON.stringify(now);
  }

  return {
    /** Stores and shows the server's errors. */
    refuse: (errors: Messages) => {
      refused.current = { errors, values: form.getValues() };
      form.setErrors(errors);
    },
    /** For the second argument of `form.onSubmit`: the form's own errors, and the server's errors that still apply. */
    merge: (errors: Messages, values: Values) => {
      const last = refused.current;
      if (last) {
        const still = Object.entries(last.errors).filter(([path]) => holds(path, last.values, values));
        form.setErrors({ ...Object.fromEntries(still), ...errors });
      }
    },
  };
}
