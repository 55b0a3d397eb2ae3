/* The layout of a list of possible answers, by estimate. All lengths are hundredths of the width of a 16:9 screen. */

/** From here on, the list needs the whole width, and a size that the back row can still read decides. */
export const MANY_FROM = 17;

const TWO_COLUMNS_FROM = 5;
const MOST_COLUMNS = 5;

/** The smallest size: 18 pixels on a screen of 1920. */
const SMALLEST = 0.95;
const WIDTH = 94;
const COLUMN_GAP = 2.4;
/** From the line with the number of the question to the votes received, without margins. */
const HEIGHT = 29;
const LINE_HEIGHT = 1.25 * SMALLEST;
const ROW_GAP = 0.15 * SMALLEST;
/** The line that counts what is not shown. */
const REST = 2;
/** The mean width of a letter, in its own size. */
const LETTER = 0.54;
/** The letters that the mark of an option takes the place of. */
const MARK_LETTERS = 5;

const LONG_QUESTION = 140;
const QUESTION = { short: 2.4, long: 1.7 };

export interface ListLayout {
  columns: number;
  /** The first entries, which are on the screen. The phones have all of them. */
  shown: number;
}

/** The columns that show the most entries of a list under its question, in a legible size. */
export function listLayout(texts: string[], questionText: string): ListLayout {
  const count = texts.length;
  if (count < MANY_FROM) {
    return { columns: count < TWO_COLUMNS_FROM ? 1 : 2, shown: count };
  }
  const height = HEIGHT - questionHeight(questionText);
  let best = { columns: 2, shown: 0, needed: Number.POSITIVE_INFINITY };
  for (let columns = 2; columns <= MOST_COLUMNS; columns += 1) {
    const lines = texts.map((text) => linesOf(text, columns));
    const shown = mostShown(lines, columns, height);
    const needed = heightOf(lines, columns, shown);
    if (shown > best.shown || (shown === best.shown && needed < best.needed)) {
      best = { columns, shown, needed };
    }
  }
  return { columns: best.columns, shown: best.shown };
}

/** Whether a question is set in the smaller of the two sizes that it has above a long list. */
export function isLongQuestion(text: string): boolean {
  return text.length > LONG_QUESTION;
}

function questionHeight(text: string): number {
  const size = isLongQuestion(text) ? QUESTION.long : QUESTION.short;
  return Math.ceil((text.length * LETTER * size) / WIDTH) * 1.2 * size;
}

function linesOf(text: string, columns: number): number {
  const width = (WIDTH - COLUMN_GAP * (columns - 1)) / columns;
  return Math.ceil(((text.length + MARK_LETTERS) * LETTER * SMALLEST) / width);
}

function mostShown(lines: number[], columns: number, height: number): number {
  if (heightOf(lines, columns, lines.length) <= height) {
    return lines.length;
  }
  let shown = lines.length - 1;
  while (shown > columns && heightOf(lines, columns, shown) > height - REST) {
    shown -= 1;
  }
  return shown;
}

/** The entries go down, then across. A row is as high as its highest entry. */
function heightOf(lines: number[], columns: number, shown: number): number {
  const rows = Math.ceil(shown / columns);
  let height = 0;
  for (let row = 0; row < rows; row += 1) {
    const inRow = lines.slice(0, shown).filter((_, index) => index % rows === row);
    height += Math.max(...inRow) * LINE_HEIGHT + ROW_GAP;
  }
  return height;
}
