/* The layout of a list of possible answers, by estimate. All lengths are hundredths of the width of a 16:9 screen. */

/** From here on, the list needs the whole width, and a size that the back row can still read decides. */
export const MANY_FROM = 17;

const TWO_COLUMNS_FROM = 5;
const COLUMNS = [2, 3, 4, 5];

/** From the size of a short list to the smallest one, 18 pixels on a screen of 1920. */
const SIZES = [2.4, 2.2, 2, 1.8, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1.02, 0.95];
const SMALLEST = 0.95;
const WIDTH = 94;
/** From the line with the number of the question to the votes received, without margins. */
const HEIGHT = 29;
/* In the size of the list: */
const COLUMN_GAP = 1.2;
const LINE_HEIGHT = 1.25;
const ROW_GAP = 0.15;
/** The line that counts what is not shown. */
const REST = 2;
/** The mean width of a letter, in its own size. */
const LETTER = 0.54;
/** The letters that the mark of an option takes the place of. */
const MARK_LETTERS = 5;

const LONG_FROM = 140;
const LONGEST_FROM = 600;
/** The sizes of the question above a long list, as in the styles. */
const QUESTION = { short: 2.4, long: 1.7, longest: 1.2 };

export interface ListLayout {
  columns: number;
  /** The first entries, which are on the screen. The phones have all of them. */
  shown: number;
}

/** The columns that show a whole list under its question in the largest size, or the most of it in a legible one. */
export function listLayout(texts: string[], questionText: string): ListLayout {
  const count = texts.length;
  if (count < MANY_FROM) {
    return { columns: count < TWO_COLUMNS_FROM ? 1 : 2, shown: count };
  }
  const height = HEIGHT - questionHeight(questionText);
  for (const size of SIZES) {
    const columns = COLUMNS.find((each) => heightOf(texts, each, size) <= height);
    if (columns !== undefined) {
      return { columns, shown: count };
    }
  }
  return COLUMNS.map((columns) => ({ columns, shown: mostShown(texts, columns, height - REST) })).reduce(
    (best, one) => (one.shown > best.shown ? one : best),
  );
}

export function questionLength({ length }: string): keyof typeof QUESTION {
  if (length > LONGEST_FROM) {
    return 'longest';
  }
  return length > LONG_FROM ? 'long' : 'short';
}

function questionHeight(text: string): number {
  const size = QUESTION[questionLength(text)];
  return Math.ceil((text.length * LETTER * size) / WIDTH) * 1.2 * size;
}

function mostShown(texts: string[], columns: number, height: number): number {
  let shown = texts.length - 1;
  while (shown > 0 && heightOf(texts.slice(0, shown), columns, SMALLEST) > height) {
    shown -= 1;
  }
  return shown;
}

/** The entries go down, then across. A row is as high as its highest entry. */
function heightOf(texts: string[], columns: number, size: number): number {
  const rows = Math.ceil(texts.length / columns);
  const width = (WIDTH - COLUMN_GAP * size * (columns - 1)) / columns;
  const lines = texts.map((text) => Math.ceil(((text.length + MARK_LETTERS) * LETTER * size) / width));
  let height = 0;
  for (let row = 0; row < rows; row += 1) {
    const highest = Math.max(...lines.filter((_, index) => index % rows === row));
    height += (highest * LINE_HEIGHT + ROW_GAP) * size;
  }
  return height;
}
