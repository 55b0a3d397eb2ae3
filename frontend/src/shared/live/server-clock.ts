/** How much later the server's clock is than this device's, which may be hours wrong. */
let aheadMs = 0;

/** Takes over the time that the server just told. */
export function hearServerTime(serverTime: string): void {
  const told = Date.parse(serverTime);
  if (!Number.isNaN(told)) {
    aheadMs = told - Date.now();
  }
}

/** The time by the server's clock, in milliseconds, as far as this device was told. */
export function serverNow(): number {
  return Date.now() + aheadMs;
}
