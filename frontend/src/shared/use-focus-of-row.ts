import { useEffect, useRef } from 'react';

/**
 * Moves the focus to the field of a row after one was added or removed, and not to the top of the page.
 *
 * `fields` selects one field of each row in the list. The caller sets `focusNext` to the index of the row before it
 * changes the rows.
 */
export function useFocusOfRow(count: number, fields: string) {
  const list = useRef<HTMLOListElement>(null);
  const focusNext = useRef<number | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once the fields are rendered again.
  useEffect(() => {
    const field = list.current?.querySelectorAll<HTMLInputElement>(fields)[focusNext.current ?? -1];
    focusNext.current = null;
    field?.focus();
    field?.select();
  }, [count]);

  return { list, focusNext };
}
