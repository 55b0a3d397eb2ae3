import { useState } from 'react';

/** The selected rows of the shown page of a list. */
export interface Selection<Row> {
  rows: Row[];
  has: (row: Row) => boolean;
  toggle: (row: Row) => void;
  /** Selects all rows of the page, or none if all are selected. */
  toggleAll: () => void;
  clear: () => void;
}

/**
 * `place` is the page with its search and filter: a selection ends with it, so that no action affects rows that are not
 * shown.
 */
export function useSelection<Row>(
  place: string,
  shown: readonly Row[],
  keyOf: (row: Row) => string,
): Selection<Row> {
  const [selected, setSelected] = useState<{ place: string; keys: ReadonlySet<string> }>(NONE);
  const keys = selected.place === place ? selected.keys : NONE.keys;
  const rows = shown.filter((row) => keys.has(keyOf(row)));
  const select = (chosen: Iterable<string>) => setSelected({ place, keys: new Set(chosen) });

  return {
    rows,
    has: (row) => keys.has(keyOf(row)),
    toggle: (row) => {
      const key = keyOf(row);
      const others = rows.map(keyOf).filter((other) => other !== key);
      select(keys.has(key) ? others : [...others, key]);
    },
    toggleAll: () => select(rows.length === shown.length ? [] : shown.map(keyOf)),
    clear: () => setSelected(NONE),
  };
}

const NONE = { place: '', keys: new Set<string>() };
