import { useLayoutEffect, useSyncExternalStore } from 'react';

/** The number of forms on the screen with unsaved input. */
let forms = 0;
const listeners = new Set<() => void>();

function change(next: number): void {
  forms = next;
  for (const listener of listeners) {
    listener();
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function hasUnsavedWork(): boolean {
  return forms > 0;
}

export function useHasUnsavedWork(): boolean {
  return useSyncExternalStore(subscribe, hasUnsavedWork);
}

/** Reports unsaved input of the screen, while there is some. */
export function useUnsavedWork(isDirty: boolean): void {
  useLayoutEffect(() => {
    if (!isDirty) {
      return;
    }
    change(forms + 1);
    return () => change(forms - 1);
  }, [isDirty]);
}
