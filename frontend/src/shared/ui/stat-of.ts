import type { UseQueryResult } from '@tanstack/react-query';

/** The text of a number for a `StatCard`: `undefined` while it loads, a dash if it could not be loaded. */
export function statOf<Data>(
  query: Pick<UseQueryResult<Data>, 'data' | 'isError'>,
  text: (data: Data) => string,
): string | undefined {
  if (query.data !== undefined) {
    return text(query.data);
  }
  return query.isError ? '–' : undefined;
}
