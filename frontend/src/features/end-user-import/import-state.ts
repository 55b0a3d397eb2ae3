import type { ImportRow, ImportTable, ImportView } from '../../api/types';
import type { Mapping } from './match/mapping';

export type ImportStep = 'choose' | 'match' | 'check' | 'done';

/** How far an import has come. What an earlier step brought is kept while a later one is gone back from. */
export interface ImportState {
  step: ImportStep;
  file: { file: File; table: ImportTable } | null;
  mapping: Mapping;
  /** What was checked: the rows as they were sent, and what the server said about each. */
  check: { rows: ImportRow[]; checked: ImportView } | null;
  result: ImportView | null;
}

export const NOTHING_CHOSEN: ImportState = {
  step: 'choose',
  file: null,
  mapping: {},
  check: null,
  result: null,
};
