const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Where a spreadsheet would begin a formula: at the beginning of a text, and behind what another program than ours may
 * put between two cells.
 */
const FORMULA_PLACES = /(^|[;\t\r\n])(?=(?:(?![\t\r\n])[\p{Cc}\p{Z}\u200B-\u200F\uFEFF])*[=+\-@＝＋－＠])/gu;

/** True where a spreadsheet would carry a text or a part of it out as a formula, or cut off its sign. */
export function isFormula(text: string): boolean {
  return guarded(text) !== text;
}

/** The same apostrophes as those of the server (`csv_writing.rs`). */
function guarded(text: string): string {
  const inner = text.replace(FORMULA_PLACES, "$1'");
  return /^[\t\r\n]/.test(text) ? `'${inner}` : inner;
}

/**
 * A table as the server writes one (docs/api.md): UTF-8 with a mark, commas and CRLF, and an apostrophe before what a
 * spreadsheet would carry out.
 */
export function toCsv(rows: string[][]): string {
  const lines = rows.map((cells) => `${cells.map(cell).join(',')}\r\n`);
  return BYTE_ORDER_MARK + lines.join('');
}

function cell(text: string): string {
  const safe = guarded(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
