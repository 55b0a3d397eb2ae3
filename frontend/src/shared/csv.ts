const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The places where a spreadsheet would start a formula: at the beginning of a text, and after characters that other
 * programs may use to separate cells.
 */
const FORMULA_PLACES = /(^|[;\t\r\n])(?=(?:(?![\t\r\n])[\p{Cc}\p{Z}\u200B-\u200F\uFEFF])*[=+\-@＝＋－＠])/gu;

/** Whether a spreadsheet would execute a text or a part of it as a formula, or remove its sign. */
export function isFormula(text: string): boolean {
  return guarded(text) !== text;
}

/** Adds the same apostrophes as the server (`csv_writing.rs`). */
function guarded(text: string): string {
  const inner = text.replace(FORMULA_PLACES, "$1'");
  return /^[\t\r\n]/.test(text) ? `'${inner}` : inner;
}

/**
 * A table in the server's format (docs/api.md): UTF-8 with a byte order mark, commas and CRLF, and an apostrophe before
 * text that a spreadsheet would execute. A table that came from a file keeps its separator.
 */
export function toCsv(rows: string[][], separator = ','): string {
  const lines = rows.map((cells) => `${cells.map((text) => cell(text, separator)).join(separator)}\r\n`);
  return BYTE_ORDER_MARK + lines.join('');
}

function cell(text: string, separator: string): string {
  const safe = guarded(text);
  return safe.includes(separator) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
