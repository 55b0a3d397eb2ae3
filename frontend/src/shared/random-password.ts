/**
 * The alphabet of the server (`os_secrets.rs`). It excludes characters that look alike on paper, such as 0 and O, 1 and
 * l, 5 and S, 2 and Z, 8 and B. Twelve of these 39 characters have 63 bits.
 */
const ALPHABET = 'ACDEFHJKLMNPRTUVWXYadefhmnrt34679@#%^&*';
const LENGTH = 12;

/** Returns twelve random characters of the alphabet, from the browser's secure source. */
export function randomPassword(): string {
  // Bytes past the last whole multiple are drawn again, so that no character is more likely than another.
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
