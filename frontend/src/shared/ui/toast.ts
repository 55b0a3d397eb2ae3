import { messageOf, referenceOf } from '../../api/api-error';

export type Tone = 'success' | 'error' | 'info';

export interface Toast {
  id: number;
  tone: Tone;
  message: string;
  /** Of an unexpected error. */
  reference: string | null;
  /** When it was said, by the page's own clock. */
  at: number;
}

/** More would cover the main button of a phone's screen; the oldest give way. */
const LIMIT = 3;
/** What is said this shortly before a screen goes is why it goes: it is read on the next one. */
const REASON_MS = 500;

/** Those that are shown now, oldest first. A new list with every change. */
let shown: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function replaceBy(toasts: readonly Toast[]): void {
  shown = toasts;
  for (const listener of listeners) {
    listener();
  }
}

function show(tone: Tone, message: string, reference: string | null = null): void {
  lastId += 1;
  // What is said again is said anew, and does not pile up.
  const others = shown.filter((other) => other.message !== message || other.tone !== tone);
  replaceBy([...others, { id: lastId, tone, message, reference, at: performance.now() }].slice(-LIMIT));
}

/** Short messages at the top; each has the role "alert", so screen readers say them. `Toaster` shows them. */
export const toast = {
  success: (message: string) => show('success', message),
  error: (message: string) => show('error', message),
  info: (message: string) => show('info', message),
  /** What the server says, else the fallback; with the reference where the error is an unexpected one. */
  failure: (error: unknown, fallback: string) =>
    show('error', messageOf(error, fallback), referenceOf(error)),
};

export const toasts = {
  shown: () => shown,
  dismiss: (id: number) => replaceBy(shown.filter((one) => one.id !== id)),
  /** Errors of the screen that is left: mended, or of no use any more. */
  leaveScreen: () => {
    const now = performance.now();
    const left = shown.filter(({ tone, at }) => tone !== 'error' || now - at < REASON_MS);
    if (left.length < shown.length) {
      replaceBy(left);
    }
  },
  clear: () => replaceBy([]),
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
