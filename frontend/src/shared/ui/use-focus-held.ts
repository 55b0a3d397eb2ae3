import { type RefObject, useEffect, useRef } from 'react';

/**
 * The focused element may be removed from a list together with its row. The focus then moves to the top of the list's
 * panel.
 */
export function useFocusHeld(root: RefObject<HTMLElement | null>, rows: unknown): void {
  /** Whether the focus was inside. Removing the focused element fires no event. */
  const wasInside = useRef(false);

  useEffect(() => {
    function handleFocus({ target }: FocusEvent) {
      wasInside.current = target instanceof Node && root.current?.contains(target) === true;
    }
    document.addEventListener('focusin', handleFocus);
    return () => document.removeEventListener('focusin', handleFocus);
  }, [root]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the rows have changed.
  useEffect(() => {
    if (wasInside.current && document.activeElement === document.body) {
      root.current?.focus({ preventScroll: true });
    }
  }, [root, rows]);
}
