import type { ImportRow, ImportRowView, ImportVerdict, ImportView } from '../../../api/types';
import { isTestPerson } from '../../../shared/test-data';
import type { StatusTone } from '../../../shared/ui/status-badge';

export const VERDICTS: { verdict: ImportVerdict; label: string; tone: StatusTone }[] = [
  { verdict: 'error', label: 'Error', tone: 'danger' },
  { verdict: 'new', label: 'New', tone: 'good' },
  { verdict: 'change', label: 'Change', tone: 'info' },
  { verdict: 'unchanged', label: 'Unchanged', tone: 'neutral' },
];

/** A row of the file with the server's verdict. */
export interface JudgedRow {
  /** The position among the submitted rows. Line numbers may repeat in a forged file. */
  index: number;
  row: ImportRow;
  view: ImportRowView;
}

/** The rows in the order of the file, but errors first, because they need attention. */
export function judgedRows(rows: ImportRow[], checked: ImportView): JudgedRow[] {
  const judged = checked.rows.flatMap((view, index) => {
    const row = rows[index];
    return row ? [{ index, row, view }] : [];
  });
  const isError = ({ view }: JudgedRow) => view.verdict === 'error';
  return [...judged.filter(isError), ...judged.filter((entry) => !isError(entry))];
}

/** The number of end users that an import creates or changes. */
export function countWork({ counts }: ImportView): number {
  return counts.new + counts.change;
}

/** The number of new end users with a random password, which nobody can read again later. */
export function countRandomPasswords(rows: ImportRow[], { rows: views }: ImportView): number {
  return views.filter(({ verdict }, index) => verdict === 'new' && !rows[index]?.password).length;
}

/** The number of rows that are test data by their names. */
export function countTestPeople({ rows }: ImportView): number {
  return rows.filter(isTestPerson).length;
}

/**
 * Whether the import ends sessions: a person who is deactivated or gets a new password is signed out everywhere. The
 * organizer is warned first.
 */
export function signsPeopleOut({ rows }: ImportView): boolean {
  return rows.some(({ changes }) => changes.includes('isActive') || changes.includes('password'));
}
