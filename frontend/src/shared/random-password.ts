/**
 * The alphabet of the server (`os_secrets.rs`): without what is mistaken for something else on paper, as 0 for O, 1 for l,
 * 5 for S, 2 for Z and 8 for B. Twelve of these 39 are 63 bits.
 */
const ALPHABET = 'ACDEFHJKLMNPRTUVWXYadefhmnrt34679@#%^&*';
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
