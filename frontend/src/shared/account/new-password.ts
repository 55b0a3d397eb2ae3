export const MIN_PASSWORD = 8;
/** In bytes, as the server counts. */
const MAX_PASSWORD_BYTES = 72;

/** What is wrong with a password that somebody thought up for themselves, typed twice. */
export function newPasswordErrors(password: string, again: string): { password?: string; again?: string } {
  if ([...password].length < MIN_PASSWORD) {
    return { password: `Use at least ${MIN_PASSWORD} characters` };
  }
  if (new TextEncoder().encode(password).length > MAX_PASSWORD_BYTES) {
    return { password: 'This is too long' };
  }
  return password === again ? {} : { again: 'This is not the same' };
}
