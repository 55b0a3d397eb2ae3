import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';

const AFTER_FOCUS_RETURN_MS = 50;

/**
 * Restores the focus after a dialog in cases where Mantine loses it. On a slow device, Mantine records the opener after
 * the focus has moved. A dialog that closes before it took the focus takes it while closing.
 *
 * Returns the callback for the closed dialog (`onExitTransitionEnd`). If the opener is gone too (a deleted row), the
 * focus moves to `fallback`, or else to the top of the screen.
 */
export function useFocusKept(opened: boolean, fallback?: RefObject<HTMLElement | null>): () => void {
  const opener = useRef<Element | null>(null);
  const timer = useRef<number | undefined>(undefined);
  // Before any other code runs: an effect would be too late.
  useLayoutEffect(() => {
    if (opened) {
      opener.current = document.activeElement;
    }
  }, [opened]);

  // If the page is left, the focus of the next one must not change.
  useEffect(() => () => window.clearTimeout(timer.current), []);

  return useCallback(() => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      if (isFocusLost()) {
        focus(opener.current);
      }
      if (isFocusLost()) {
        focus(fallback?.current ?? null);
      }
      if (isFocusLost()) {
        focus(document.getElementById('main'));
      }
    }, AFTER_FOCUS_RETURN_MS);
  }, [fallback]);
}

function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function focus(element: Element | null): void {
  if (element instanceof HTMLElement) {
    element.focus({ preventScroll: true });
  }
}
