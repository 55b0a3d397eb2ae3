import { type Bytes, utf8 } from './bytes';

/**
 * The answer in a sealed ballot: positions in the frozen wording from 1, a decimal number, or a text. The marks of an election
 * are a text with blanks between them.
 */
export type SealedAnswer = { options: readonly number[] } | { number: string } | { text: string };

/** The mark after the plaintext (ISO/IEC 7816-4). */
const MARK = 0x80;

/** The only form of an answer that `crates/sealed-ballots` reads: JSON without blanks, with one member. */
export function writePlaintext(answer: SealedAnswer): Bytes {
  if ('options' in answer) {
    return utf8(JSON.stringify({ options: [...answer.options].sort((one, other) => one - other) }));
  }
  if ('number' in answer) {
    return utf8(JSON.stringify({ number: answer.number }));
  }
  return utf8(JSON.stringify({ text: wellFormed(answer.text) }));
}

/** Half a character becomes the replacement character, as in every other text. JSON would keep it, escaped. */
function wellFormed(text: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(utf8(text));
}

/** The plaintext, its mark, and zeros: exactly `size` bytes. */
export function pad(plaintext: Bytes, size: number): Bytes {
  if (plaintext.length >= size) {
    throw new RangeError('The answer is too long to be sealed.');
  }
  const padded = new Uint8Array(size);
  padded.set(plaintext);
  padded[plaintext.length] = MARK;
  return padded;
}
