const DEVICE_TOKENS = 'deviceTokens';
/** A shared device has one token per person; the server reads 20. */
const MAX_TOKENS = 20;

/**
 * The device tokens of earlier sign-ins on this device, of any person. With such a token, failed sign-ins of others do
 * not delay the next sign-in of the same name on this device. The tokens give no access, so they are kept after a
 * sign-out.
 */
export function deviceTokens(): string[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(DEVICE_TOKENS) ?? '[]');
    return Array.isArray(stored) ? stored.filter((token) => typeof token === 'string') : [];
  } catch {
    return [];
  }
}

/** Keeps a token for the next sign-in, the newest first. */
export function keepDeviceToken(token: string | null | undefined): void {
  if (!token) {
    return;
  }
  const kept = [token, ...deviceTokens().filter((other) => other !== token)].slice(0, MAX_TOKENS);
  try {
    window.localStorage.setItem(DEVICE_TOKENS, JSON.stringify(kept));
  } catch {
    // If the browser refuses storage, the device is new each time.
  }
}

/** The tokens for the body of a sign-in; empty on a new device. */
export function knownDevice(): { deviceTokens?: string[] } {
  const tokens = deviceTokens();
  return tokens.length > 0 ? { deviceTokens: tokens } : {};
}
