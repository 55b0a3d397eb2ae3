/** The length of a text as the server counts it: composed letters, without blanks at its ends. */
export function textLength(text: string): number {
  return [...text.trim().normalize('NFC')].length;
}

/**
 * What is wrong with a text that is too long. Fields take it all the same: one that stops at its limit cuts what was
 * pasted without a word.
 */
export function lengthProblem(text: string, most: number): string | null {
  const length = textLength(text);
  return length > most
    ? `At most ${most.toLocaleString('en-GB')} characters. This is ${length.toLocaleString('en-GB')}.`
    : null;
}
