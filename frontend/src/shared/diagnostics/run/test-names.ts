export const TEST_CLIENT_PREFIX = 'TEST_CLIENT_';

/** Returns letters and digits that are unique to this run. */
export function runMark(): string {
  const letters = '0123456789abcdefghijklmnopqrstuvwxyz';
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => letters[byte % letters.length]).join('');
}
