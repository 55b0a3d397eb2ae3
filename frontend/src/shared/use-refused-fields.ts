import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { useRef } from 'react';

type Messages = Record<string, ReactNode>;

/**
 * What the server refused stays said, beside what the form's own check finds on the next try, as long as the field
 * holds what was refused.
 */
export function useRefusedFields<Values extends object>(form: UseFormReturnType<Values>) {
  const refused = useRef<{ errors: Messages; values: Values } | null>(null);

  function holds(path: string, then: Values, now: Values): boolean {
    const field = path.split('.')[0] as keyof Values;
    // What has no field of that name depends on any of them.
    return field in now
      ? JSON.stringify(then[field]) === JSON.stringify(now[field])
      : JSON.stringify(then) === JSON.stringify(now);
  }

  return {
    /** Marks what the server refused. */
    refuse: (errors: Messages) => {
      refused.current = { errors, values: form.getValues() };
      form.setErrors(errors);
    },
    /** For the second place of `form.onSubmit`: the form's own errors, and what is refused still. */
    merge: (errors: Messages, values: Values) => {
      const last = refused.current;
      if (last) {
        const still = Object.entries(last.errors).filter(([path]) => holds(path, last.values, values));
        form.setErrors({ ...Object.fromEntries(still), ...errors });
      }
    },
  };
}
