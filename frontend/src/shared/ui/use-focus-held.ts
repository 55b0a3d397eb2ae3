import { type RefObject, useEffect, useRef } from 'react';

/** What had the focus may leave a list with its row: the keyboard goes on at the top of the list's panel. */
export function useFocusHeld(root: RefObject<HTMLElement | null>, rows: unknown): void {
  /** Where the focus was last; what leaves the page takes it along without a word. */
  const wasInside = useRef(false);

  useEffect(() => {
    function handleFocus({ target }: FocusEvent) {
      wasInside.current = target instanceof Node && root.current?.contains(target) === true;
    }
    document.addEventListener('focusin', handleFocus);
    return () => document.removeEventListener('focusin', handleFocus);
  }, [root]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the rows have changed.
  useEffect(() => {
    if (wasInside.current && document.activeElement === document.body) {
      root.current?.focus({ preventScroll: true });
    }
  }, [root, rows]);
}
