import type { ImportRow, ImportRowView, ImportVerdict, ImportView } from '../../../api/types';
import { isTestPerson } from '../../../shared/test-data';
import type { StatusTone } from '../../../shared/ui/status-badge';

export const VERDICTS: { verdict: ImportVerdict; label: string; tone: StatusTone }[] = [
  { verdict: 'error', label: 'Error', tone: 'danger' },
  { verdict: 'new', label: 'New', tone: 'good' },
  { verdict: 'change', label: 'Change', tone: 'info' },
  { verdict: 'unchanged', label: 'Unchanged', tone: 'neutral' },
];

/** A row of the file with what the server said about it. */
export interface JudgedRow {
  /** Where it stands among the rows that were sent; lines may repeat in a made-up file. */
  index: number;
  row: ImportRow;
  view: ImportRowView;
}

/** The rows in the order of the file, errors before all others: they are what has to be looked at. */
export function judgedRows(rows: ImportRow[], checked: ImportView): JudgedRow[] {
  const judged = checked.rows.flatMap((view, index) => {
    const row = rows[index];
    return row ? [{ index, row, view }] : [];
  });
  const isError = ({ view }: JudgedRow) => view.verdict === 'error';
  return [...judged.filter(isError), ...judged.filter((entry) => !isError(entry))];
}

/** How many end users an import makes or changes. */
export function countWork({ counts }: ImportView): number {
  return counts.new + counts.change;
}

/** How many rows are test data by their names. */
export function countTestPeople({ rows }: ImportView): number {
  return rows.filter(isTestPerson).length;
}

/** A person who becomes inactive or gets a new password is signed out everywhere. The organizer sees that before. */
export function signsPeopleOut({ rows }: ImportView): boolean {
  return rows.some(({ changes }) => changes.includes('isActive') || changes.includes('password'));
}
