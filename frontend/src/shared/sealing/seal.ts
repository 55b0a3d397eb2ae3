import { type Bytes, concat, utf8, uuidBytes } from './bytes';
import { generateKeyPair, sealMessage } from './hpke';
import { pad, type SealedAnswer, writePlaintext } from './plaintext';

const VERSION = Uint8Array.of(1);

/** The ballot of a voter in a secret round. */
export interface SecretBallot {
  roundId: string;
  voterId: string;
  /** The public key of the urn: an uncompressed point of P-256, 65 bytes. */
  publicKey: Bytes;
  /** The size of the question's padded plaintexts in bytes. */
  size: number;
}

/**
 * Seals an answer. The envelope is all that the device may keep: neither the answer nor the key that sealed it follow from
 * it. `crates/sealed-ballots/src/envelope.rs` describes its format.
 */
export async function seal(
  answer: SealedAnswer,
  { roundId, voterId, publicKey, size }: SecretBallot,
): Promise<Bytes> {
  const plaintext = writePlaintext(answer);
  const padded = pad(plaintext, size);
  plaintext.fill(0);
  try {
    const info = concat(utf8('plenum sealed ballot'), VERSION, uuidBytes(roundId), uuidBytes(voterId));
    // The private key lives in this call only.
    const { encapsulated, ciphertext } = await sealMessage(publicKey, await generateKeyPair(), info, padded);
    return concat(VERSION, encapsulated, ciphertext);
  } finally {
    padded.fill(0);
  }
}
