import type { Bytes } from './bytes';

/** No digits, and neither I nor O, so that no two look the same. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * The code with which a voter finds the envelope in the published list: the first 128 bits of its SHA-256, modulo 24^16, in
 * base 24. `crates/voting/src/urns/envelope.rs` defines it.
 */
export async function receiptCode(envelope: Bytes): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', envelope));
  let number = hash.subarray(0, 16).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let code = '';
  for (let place = 0; place < 16; place += 1) {
    const letter = LETTERS.charAt(Number(number % 24n));
    code = place > 0 && place % 4 === 0 ? `${letter}-${code}` : letter + code;
    number /= 24n;
  }
  return code;
}
