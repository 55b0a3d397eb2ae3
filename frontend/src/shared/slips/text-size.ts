/** The longest texts in the usual size and in a smaller one, in characters. */
const USUAL = 22;
const SMALL = 60;

/** The font size of a text, so that all slips have the same size for any length of text. */
export function sizeOf(text: string): 'usual' | 'small' | 'smallest' {
  const { length } = [...text];
  return length <= USUAL ? 'usual' : length <= SMALL ? 'small' : 'smallest';
}
