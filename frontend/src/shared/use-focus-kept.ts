import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';

const AFTER_FOCUS_RETURN_MS = 50;

/**
 * Keeps the keyboard's place over a dialog, where Mantine loses it: on a slow device it notes the opener after the
 * focus has moved, and a dialog that is closed before it took the focus takes it on its way out.
 *
 * Gives what to call when the dialog is gone (`onExitTransitionEnd`). Where the opener is gone too (a deleted row),
 * the keyboard goes on at the top of the screen.
 */
export function useFocusKept(opened: boolean): () => void {
  const opener = useRef<Element | null>(null);
  const timer = useRef<number | undefined>(undefined);
  // Before anything else can run: an effect would be too late.
  useLayoutEffect(() => {
    if (opened) {
      opener.current = document.activeElement;
    }
  }, [opened]);

  // A page that is left keeps the focus of the next one alone.
  useEffect(() => () => window.clearTimeout(timer.current), []);

  return useCallback(() => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      if (isFocusLost()) {
        focus(opener.current);
      }
      if (isFocusLost()) {
        focus(document.getElementById('main'));
      }
    }, AFTER_FOCUS_RETURN_MS);
  }, []);
}

function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function focus(element: Element | null): void {
  if (element instanceof HTMLElement) {
    element.focus({ preventScroll: true });
  }
}
