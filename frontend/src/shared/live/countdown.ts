const LAST_SECONDS = 10;

/** The whole seconds left, by the server's time. It is 0 only once the time has come. */
export function secondsLeft(closesAt: string, serverNow: number): number {
  return Math.max(0, Math.ceil((Date.parse(closesAt) - serverNow) / 1_000));
}

/** Whether the countdown is in its last seconds, which every screen highlights. */
export function isEnding(seconds: number): boolean {
  return seconds <= LAST_SECONDS;
}
