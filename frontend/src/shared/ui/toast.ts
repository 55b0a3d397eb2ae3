import { messageOf, referenceOf } from '../../api/api-error';

export type Tone = 'success' | 'error' | 'info';

export interface Toast {
  id: number;
  tone: Tone;
  message: string;
  /** The reference of an unexpected error. */
  reference: string | null;
  /** The time of the message, by the page's own clock. */
  at: number;
}

/** More would cover the main button of a phone's screen. The oldest are removed. */
const LIMIT = 3;
/**
 * An error this shortly before a screen closes is probably the reason for closing. It stays, so that the next screen
 * shows it.
 */
const REASON_MS = 500;

/** The visible toasts, oldest first. Every change creates a new list. */
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
  // A repeated message restarts its timer and does not stack.
  const others = shown.filter((other) => other.message !== message || other.tone !== tone);
  replaceBy([...others, { id: lastId, tone, message, reference, at: performance.now() }].slice(-LIMIT));
}

/** Short messages at the top. Each has the role "alert", so screen readers announce it. `Toaster` shows them. */
export const toast = {
  success: (message: string) => show('success', message),
  error: (message: string) => show('error', message),
  info: (message: string) => show('info', message),
  /** The server's message, otherwise the fallback; with the reference of an unexpected error. */
  failure: (error: unknown, fallback: string) =>
    show('error', messageOf(error, fallback), referenceOf(error)),
};

export const toasts = {
  shown: () => shown,
  dismiss: (id: number) => replaceBy(shown.filter((one) => one.id !== id)),
  /** Removes the errors of the screen that is left: they are corrected or no longer relevant. */
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

/** Marks a voter's screen: on phones, its toasts are at the bottom, where they cover neither the title nor the time. */
export function toastsAtBottom(screen: HTMLElement | null) {
  setOnPage('--toasts-bottom', screen && '0.5rem');
}

/**
 * Raises the toasts of phones above a bar at the bottom of the screen, whatever its height. A `ref` of the bar. On low
 * screens, only the last element of the bar is there.
 */
export function toastsAbove(bar: HTMLElement | null) {
  const last = bar?.lastElementChild;
  if (!bar || !last) {
    return undefined;
  }
  const observer = new ResizeObserver(() => setOnPage('--bar', `${bar.offsetHeight || last.clientHeight}px`));
  observer.observe(bar);
  observer.observe(last);
  return () => {
    observer.disconnect();
    setOnPage('--bar', null);
  };
}

function setOnPage(property: string, value: string | null): void {
  document.documentElement.style.setProperty(property, value);
}
