/**
 * Throws the reason of an aborted signal. `signal.throwIfAborted()` is missing in Chrome 99 and Samsung Internet 18.
 */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) {
    throw signal.reason;
  }
}

/** Returns a signal that aborts as soon as one of these does. `AbortSignal.any` came to browsers in 2023 and 2024. */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  const any = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) {
      any.abort(signal.reason);
      break;
    }
    // A signal that outlives the others loses this listener when one of them fires.
    signal.addEventListener('abort', () => any.abort(signal.reason), { signal: any.signal });
  }
  return any.signal;
}
