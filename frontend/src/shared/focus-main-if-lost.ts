const AFTER_FOCUS_RETURN_MS = 50;

/** After a dialog: where its opener is gone (a deleted row), the keyboard goes on at the top of the screen. */
export function focusMainIfLost(): void {
  window.setTimeout(() => {
    if (document.activeElement === document.body) {
      document.getElementById('main')?.focus({ preventScroll: true });
    }
  }, AFTER_FOCUS_RETURN_MS);
}
