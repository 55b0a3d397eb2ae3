/** What is called so is test data: it counts in no figure and no export, and Cleanup Data deletes it. */
export const TEST_PREFIX = 'TEST_';
export const TEST_CLIENT_PREFIX = 'TEST_CLIENT_';

export function isTestName(name: string): boolean {
  return name.startsWith(TEST_PREFIX);
}

/** Letters and digits that no other run has. */
export function runMark(): string {
  const letters = '0123456789abcdefghijklmnopqrstuvwxyz';
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => letters[byte % letters.length]).join('');
}
