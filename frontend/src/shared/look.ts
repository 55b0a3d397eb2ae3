/**
 * The look of a text, to compare texts of one list, as the server does it: regardless of case, of the kind and number
 * of blanks, and of characters that are invisible or only shape others.
 */
export function look(text: string): string {
  return (
    text
      // Characters that have a width, and nothing in it.
      .replace(/[\u2800\u3164\uffa0]/g, ' ')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .replace(/\s+/g, ' ')
      .trim()
      .normalize('NFC')
      .toLowerCase()
  );
}

/** Whether all texts look different. */
export function lookDifferent(texts: string[]): boolean {
  return new Set(texts.map(look)).size === texts.length;
}
