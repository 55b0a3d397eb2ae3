const MIN_PASSWORD = 8;
/** In bytes, as the server counts them. */
const MAX_PASSWORD_BYTES = 72;

/** Returns the error of a new password, or null. `tooShort` replaces the message for a short one. */
export function passwordProblem(
  password: string,
  tooShort = `Use at least ${MIN_PASSWORD} characters`,
): string | null {
  const read = password.normalize('NFC');
  if ([...read].length < MIN_PASSWORD) {
    return tooShort;
  }
  return new TextEncoder().encode(read).length > MAX_PASSWORD_BYTES
    ? 'The password can have at most 72 bytes'
    : null;
}

/** Returns the errors of a new password that a person chose and typed twice. */
export function newPasswordErrors(password: string, again: string): { password?: string; again?: string } {
  const problem = passwordProblem(password);
  return {
    ...(problem ? { password: problem } : {}),
    ...(password === again ? {} : { again: 'This is not the same' }),
  };
}
