/** The difference between the server's clock and this device's, which may be hours wrong. */
let aheadMs = 0;

/** Takes over the time from a server message. */
export function hearServerTime(serverTime: string): void {
  const serverMs = Date.parse(serverTime);
  if (!Number.isNaN(serverMs)) {
    aheadMs = serverMs - Date.now();
  }
}

/** The server's time in milliseconds, as far as this device knows it. */
export function serverNow(): number {
  return Date.now() + aheadMs;
}
