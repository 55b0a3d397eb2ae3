const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ALPHABET = `${LETTERS}0123456789!@#$%^&*`;
const LENGTH = 12;

/** Twelve random characters from letters, digits and !@#$%^&*, from the browser's secure source. */
export function randomPassword(): string {
  // Bytes past the last whole multiple are drawn again, so that no character is likelier than another.
  const limit = 256 - (256 % ALPHABET.length);
  let password = '';
  while (password.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      if (byte < limit && password.length < LENGTH) {
        password += ALPHABET[byte % ALPHABET.length];
      }
    }
  }
  return password;
}
