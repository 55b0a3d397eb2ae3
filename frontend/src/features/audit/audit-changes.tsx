import type { AuditEntry } from '../../api/types';
import { countOf } from '../../shared/format';
import classes from './audit.module.css';
import { fieldLabel, valueLabel } from './kinds';

type Change = AuditEntry['changes'][number];

/** The changed fields of an entry. Several changes are folded, because most readers look for the entry. */
export function AuditChanges({ changes }: { changes: Change[] }) {
  const [first] = changes;
  if (!first) {
    return '–';
  }
  if (changes.length === 1) {
    return <ChangeLine change={first} />;
  }
  return (
    <details className={classes.changes}>
      <summary>{countOf(changes.length, 'field')}</summary>
      <ul>
        {changes.map((change) => (
          <li key={`${change.field} ${change.before} ${change.after}`}>
            <ChangeLine change={change} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function ChangeLine({ change: { field, before, after } }: { change: Change }) {
  // Its value must not be shown.
  if (before === null && after === null) {
    return `${fieldLabel(field)} changed`;
  }
  return (
    <>
      <span className={classes.field}>{fieldLabel(field)}:</span>{' '}
      {before === null ? null : (
        <>
          <del>{valueLabel(field, before)}</del>
          {after === null ? null : ' → '}
        </>
      )}
      {after === null ? null : <ins>{valueLabel(field, after)}</ins>}
    </>
  );
}
