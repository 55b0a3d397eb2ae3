/** The number of rows that a list loads at once. */
export const PAGE_SIZE = 50;

/** Some rows of a list, and how many there are altogether. */
export interface Page<Row> {
  rows: Row[];
  total: number;
}

/** The two shapes in which lists come, see docs/api.md; without `meta` the answer holds all rows. */
export function toPage<Row>(
  body: Row[] | { data: Row[]; meta?: { total: number } | null | undefined },
): Page<Row> {
  if (Array.isArray(body)) {
    return { rows: body, total: body.length };
  }
  return { rows: body.data, total: body.meta?.total ?? body.data.length };
}
