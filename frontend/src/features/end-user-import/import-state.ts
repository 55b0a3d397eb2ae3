import type { ImportRow, ImportTable, ImportView } from '../../api/types';
import type { Mapping } from './match/mapping';

export type ImportStep = 'choose' | 'match' | 'check' | 'done';

/** The progress of an import. The data of earlier steps are kept when the organizer goes back. */
export interface ImportState {
  step: ImportStep;
  file: { file: File; table: ImportTable } | null;
  mapping: Mapping;
  /** The submitted rows, and the server's verdict on each. */
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
