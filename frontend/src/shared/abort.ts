/** Throws why a signal was given, if it was. `signal.throwIfAborted()` is missing in Chrome 99 and Samsung Internet 18. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) {
    throw signal.reason;
  }
}

/** A signal that is given as soon as one of these is. `AbortSignal.any` came to browsers in 2023 and 2024. */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  const any = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) {
      any.abort(signal.reason);
      break;
    }
    // Who lives longer than the others is rid of this when one of them is given.
    signal.addEventListener('abort', () => any.abort(signal.reason), { signal: any.signal });
  }
  return any.signal;
}
