/** The length of a text as the server counts it: normalized characters, without blanks at its ends. */
export function textLength(text: string): number {
  return [...text.trim().normalize('NFC')].length;
}

/** The error of a text that is too long. Fields accept it: a field with a limit would silently cut a pasted text. */
export function lengthProblem(text: string, most: number): string | null {
  const length = textLength(text);
  return length > most
    ? `At most ${most.toLocaleString('en-GB')} characters. This is ${length.toLocaleString('en-GB')}.`
    : null;
}
