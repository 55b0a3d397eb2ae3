import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';

interface CheckedFieldOptions {
  /** The error of the last request. */
  error: Error | null;
  isPending: boolean;
  /** The message at the field, or null if the error concerns something else. */
  problemOf: (error: Error) => string | null;
  isEmpty: (value: string) => boolean;
  emptyMessage: string;
  onSubmit: (value: string) => void;
}

interface CheckedField {
  ref: RefObject<HTMLInputElement | null>;
  value: string;
  /** The message at the field. */
  problem: string | null;
  handleChange: (value: string) => void;
  handleSubmit: (event: FormEvent) => void;
}

/** The only field of a form, checked by the server. It gets the focus at the start and after each error. */
export function useCheckedField(options: CheckedFieldOptions): CheckedField {
  const { error, isPending, problemOf, isEmpty, emptyMessage, onSubmit } = options;
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const ref = useRef<HTMLInputElement>(null);
  const latestProblemOf = useRef(problemOf);
  latestProblemOf.current = problemOf;

  useEffect(() => ref.current?.focus(), []);
  useEffect(() => {
    if (error) {
      setProblem(latestProblemOf.current(error));
      ref.current?.focus();
    }
  }, [error]);

  function handleChange(changed: string) {
    setValue(changed);
    setProblem(null);
  }

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (isPending) {
      return;
    }
    if (isEmpty(value)) {
      setProblem(emptyMessage);
      ref.current?.focus();
      return;
    }
    onSubmit(value);
  }

  return { ref, value, problem, handleChange, handleSubmit };
}
