import type { ImportField, ImportRow } from '../../../api/types';
import { labelOf } from '../fields';
import classes from './verdict-effect.module.css';
import type { JudgedRow } from './verdicts';

/** The cells of a new person that decide on votes and sign-in, besides the name and the username. */
const ADDED_FIELDS: ImportField[] = ['weight', 'weights', 'groups', 'email', 'isActive'];

/** The effect on a row: the created record, the changes, or the errors. */
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
        {[...new Set(view.changes)].map((field) => (
          <li key={field}>
            <strong>{labelOf(field)}</strong> becomes {newValue(judged, field)}
          </li>
        ))}
      </ul>
    );
  }
  if (view.verdict === 'new') {
    const fields = ADDED_FIELDS.filter((field) => textOf(row, field));
    return (
      <ul className={classes.list}>
        <li>
          {row.password ? 'Is added, with the password of the file' : 'Is added, with a random password'}
        </li>
        {fields.map((field) => (
          <li key={field}>
            <strong>{labelOf(field)}</strong> {newValue(judged, field)}
          </li>
        ))}
      </ul>
    );
  }
  return 'Stays as it is';
}

/** The field, with its text in the file. A password is not shown, because other people may see the screen. */
function named({ row }: JudgedRow, field: ImportField): string {
  const text = field === 'password' ? undefined : textOf(row, field);
  return text ? `${labelOf(field)} “${text}”:` : `${labelOf(field)}:`;
}

function newValue({ row, view }: JudgedRow, field: ImportField): string {
  if (field === 'password') {
    return 'that of the file';
  }
  return `“${(field === 'name' ? view.name : textOf(row, field)) ?? ''}”`;
}

/** The text of a field in the file. Kinds of weight may have several cells. */
function textOf(row: ImportRow, field: ImportField): string | null | undefined {
  return field === 'weights'
    ? row.weights
        ?.map(({ value }) => value)
        .filter((value) => value)
        .join('; ')
    : row[field];
}
