/** The number of rows that a list loads at once. */
export const PAGE_SIZE = 50;

/** Some rows of a list, and the total number. */
export interface Page<Row> {
  rows: Row[];
  total: number;
}

/** Converts the two formats of lists, see docs/api.md. Without `meta`, the response has all rows. */
export function toPage<Row>(
  body: Row[] | { data: Row[]; meta?: { total: number } | null | undefined },
): Page<Row> {
  if (Array.isArray(body)) {
    return { rows: body, total: body.length };
  }
  return { rows: body.data, total: body.meta?.total ?? body.data.length };
}
