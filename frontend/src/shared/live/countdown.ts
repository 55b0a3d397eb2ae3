const LAST_SECONDS = 10;

/** Whole seconds that are left by the server's time; 0 is reached when the time has come, and not before. */
export function secondsLeft(closesAt: string, serverNow: number): number {
  return Math.max(0, Math.ceil((Date.parse(closesAt) - serverNow) / 1_000));
}

/** In its last seconds a countdown looks another way on every screen. */
export function isEnding(seconds: number): boolean {
  return seconds <= LAST_SECONDS;
}
