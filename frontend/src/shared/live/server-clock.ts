/** The difference between the server's clock and this device's, which may be hours wrong. */
let aheadMs = 0;
/** The difference as the last message showed it. */
let lastMs: number | undefined;

/**
 * Takes over the time from a server message. A message may be late, as after a tab was frozen, and then shows a smaller
 * difference. So a smaller one counts only when two messages in succession agree. Those are also enough after a clock was set.
 */
export function hearServerTime(serverTime: string): void {
  const heardMs = Date.parse(serverTime) - Date.now();
  if (!Number.isNaN(heardMs)) {
    lastMs ??= heardMs;
    if (heardMs > aheadMs || Math.abs(heardMs - lastMs) < 1_000) {
      aheadMs = Math.max(heardMs, lastMs);
    }
    lastMs = heardMs;
  }
}

/** The server's time in milliseconds, as far as this device knows it. */
export function serverNow(): number {
  return Date.now() + aheadMs;
}
