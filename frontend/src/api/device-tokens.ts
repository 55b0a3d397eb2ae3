const DEVICE_TOKENS = 'deviceTokens';
/** A device that several people share has one for each; the server reads 20. */
const MAX_TOKENS = 20;

/**
 * What earlier sign-ins have left on this device, whoever signed in. Each keeps the failures of others from holding up
 * the next sign-in of the same name here, and lets nobody in: they stay when somebody signs out.
 */
export function deviceTokens(): string[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(DEVICE_TOKENS) ?? '[]');
    return Array.isArray(stored) ? stored.filter((token) => typeof token === 'string') : [];
  } catch {
    return [];
  }
}

/** Keeps one for the next sign-in, the newest first. */
export function keepDeviceToken(token: string | null | undefined): void {
  if (!token) {
    return;
  }
  const kept = [token, ...deviceTokens().filter((other) => other !== token)].slice(0, MAX_TOKENS);
  try {
    window.localStorage.setItem(DEVICE_TOKENS, JSON.stringify(kept));
  } catch {
    // If the browser refuses storage, the device is a new one each time.
  }
}

/** The tokens as a sign-in sends them; nothing on a device that is new. */
export function knownDevice(): { deviceTokens?: string[] } {
  const tokens = deviceTokens();
  return tokens.length > 0 ? { deviceTokens: tokens } : {};
}
