import type { ImportField } from '../../../api/types';
import { labelOf } from '../fields';
import classes from './verdict-effect.module.css';
import type { JudgedRow } from './verdicts';

/** What becomes of a row: what is made, what changes, or what is wrong with it. */
export function VerdictEffect({ judged }: { judged: JudgedRow }) {
  const { row, view } = judged;
  if (view.verdict === 'error') {
    return (
      <ul className={classes.list}>
        {view.errors.map(({ field, message }) => (
          <li key={`${field} ${message}`} className={classes.error}>
            <strong>{named(judged, field)}</strong> {message}
          </li>
        ))}
      </ul>
    );
  }
  if (view.verdict === 'change') {
    return (
      <ul className={classes.list}>
        {view.changes.map((field) => (
          <li key={field}>
            <strong>{labelOf(field)}</strong> becomes {newValue(judged, field)}
          </li>
        ))}
      </ul>
    );
  }
  if (view.verdict === 'new') {
    return row.password ? 'Is added, with the password of the file' : 'Is added, with a random password';
  }
  return 'Stays as it is';
}

/** The field, with what stands there in the file; a password is not shown to whoever looks over the shoulder. */
function named({ row }: JudgedRow, field: ImportField): string {
  const text = field === 'password' ? undefined : row[field];
  return text ? `${labelOf(field)} “${text}”:` : `${labelOf(field)}:`;
}

function newValue({ row, view }: JudgedRow, field: ImportField): string {
  if (field === 'password') {
    return 'that of the file';
  }
  return `“${(field === 'name' ? view.name : row[field]) ?? ''}”`;
}
