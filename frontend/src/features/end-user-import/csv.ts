const BYTE_ORDER_MARK = '\uFEFF';

/** True where a spreadsheet would carry a text out as a formula, or cut off its sign. */
export function isFormula(text: string): boolean {
  return /^[=+\-@\t\r]/.test(text);
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
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
