import type { ImportField, ImportRow, ImportRowView, WeightKind } from '../../../api/types';
import { useWeightKinds } from '../../../shared/weights/use-weight-kinds';
import { labelOf } from '../fields';
import classes from './verdict-effect.module.css';
import type { JudgedRow } from './verdicts';

/** The cells of a new person that decide on votes and sign-in, besides the name and the username. */
const ADDED_FIELDS: ImportField[] = ['weight', 'weights', 'groups', 'email', 'isActive'];

/** The effect on a row: the created record, the changes, or the errors. */
export function VerdictEffect({ judged }: { judged: JudgedRow }) {
  const kinds = useWeightKinds();
  const { row, view } = judged;
  if (view.verdict === 'error') {
    return (
      <ul className={classes.list}>
        {view.errors.map((error) => (
          <li key={`${error.field} ${error.message}`} className={classes.error}>
            <strong>{wrongCell(row, error)}</strong> {error.message}
          </li>
        ))}
      </ul>
    );
  }
  if (view.verdict === 'change') {
    return (
      <ul className={classes.list}>
        {newValues(judged, view.changes, kinds).map(({ key, label, value }) => (
          <li key={key}>
            <strong>{label}</strong> becomes {value}
          </li>
        ))}
      </ul>
    );
  }
  if (view.verdict === 'new') {
    return (
      <ul className={classes.list}>
        <li>
          {row.password ? 'Is added, with the password of the file' : 'Is added, with a random password'}
        </li>
        {newValues(judged, ADDED_FIELDS, kinds)
          .filter(({ value }) => value !== quoted(''))
          .map(({ key, label, value }) => (
            <li key={key}>
              <strong>{label}</strong> {value}
            </li>
          ))}
      </ul>
    );
  }
  return 'Stays as it is';
}

/** The field, with its text in the file. A password is not shown, because other people may see the screen. */
function wrongCell(row: ImportRow, { field, kindId }: ImportRowView['errors'][number]): string {
  const text = field === 'password' ? undefined : textOf(row, field, kindId);
  return text ? `${labelOf(field)} ${quoted(text)}:` : `${labelOf(field)}:`;
}

/** The text of a field in the file, or of one kind of weight. */
function textOf(row: ImportRow, field: ImportField, kindId?: string | null): string | null | undefined {
  return field === 'weights' ? row.weights?.find((cell) => cell.kindId === kindId)?.value : row[field];
}

interface NewValue {
  key: string;
  label: string;
  value: string;
}

/**
 * The new values of these fields. Those of kinds of weight are the numbers that the server has read, without separators of
 * thousands: a text such as "1.234" has two meanings.
 */
function newValues({ row, view }: JudgedRow, fields: ImportField[], kinds: WeightKind[]): NewValue[] {
  return [...new Set(fields)].flatMap((field) => {
    if (field === 'weights') {
      return (view.weights ?? []).map(({ kindId, value }) => ({
        key: kindId,
        label: kinds.find(({ id }) => id === kindId)?.name ?? labelOf(field),
        value: quoted(value),
      }));
    }
    const value = field === 'name' ? view.name : textOf(row, field);
    return {
      key: field,
      label: labelOf(field),
      value: field === 'password' ? 'that of the file' : quoted(value),
    };
  });
}

function quoted(text: string | null | undefined): string {
  return `“${text ?? ''}”`;
}
