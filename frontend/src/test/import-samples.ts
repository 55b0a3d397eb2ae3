import type { Credentials, ImportTable } from '../api/types';

/** A file of two people, as the server reads it. */
export const TABLE: ImportTable = {
  sheet: null,
  sheets: [],
  headerRow: 1,
  headerRows: [
    { row: 1, cells: ['Name', 'Vorname', 'Stimmen', 'Bemerkung'] },
    { row: 2, cells: ['Müller-Lüdenscheid', 'Jürgen', '1,5', 'x'] },
  ],
  columns: ['Name', 'Vorname', 'Stimmen', 'Bemerkung'],
  rows: [
    ['Müller-Lüdenscheid', 'Jürgen', '1,5', 'x'],
    ['Weiß', 'Zoë', '', ''],
  ],
  lines: [2, 3],
  rowCount: 2,
  format: 'csv',
  separator: ';',
  encoding: 'windows-1252',
  mapping: { lastName: 0, firstName: 1, weight: 2 },
};

/** The credentials of the first of them. */
export const CREDENTIALS: Credentials = {
  organization: 'Riverside Housing Cooperative',
  clientCode: 'riverside',
  name: 'Jürgen Müller-Lüdenscheid',
  username: 'jurgen.muller-ludenscheid',
  password: 'aB3$efgh1l0O',
  email: null,
  loginInstructions: 'Open the participant portal.',
};
