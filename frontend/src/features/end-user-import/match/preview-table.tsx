import { useId } from 'react';
import type { ImportTable } from '../../../api/types';
import { useWeightKinds } from '../../../shared/weights/use-weight-kinds';
import { importFields } from '../fields';
import { columnNames, type Mapping } from './mapping';
import classes from './preview-table.module.css';

const ROWS_SHOWN = 5;

/** The first rows of the file, with the field of each column. */
export function PreviewTable({ table, mapping }: { table: ImportTable; mapping: Mapping }) {
  const id = useId();
  const fields = importFields(useWeightKinds());
  const fieldsOf = (column: number) =>
    fields.filter(({ field }) => mapping[field] === column).map(({ label }) => label);
  const rows = table.rows.slice(0, ROWS_SHOWN);
  const names = columnNames(table);
  return (
    <div>
      <h3 className={classes.title} id={id}>
        {table.rowCount > rows.length ? `The first ${rows.length} rows` : 'The rows'}
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
      <section className={classes.scroll} aria-labelledby={id} tabIndex={0}>
        <table className={classes.table} aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">Row</th>
              {names.map((name, column) => {
                const fields = fieldsOf(column);
                return (
                  <th key={name} scope="col" data-used={fields.length > 0}>
                    <span className={classes.heading}>{name}</span>{' '}
                    <span className={classes.field}>
                      {fields.length > 0 ? `as ${fields.join(' and ')}` : 'Not imported'}
                    </span>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, index) => (
              <tr key={table.lines[index] ?? index}>
                <td>{table.lines[index]}</td>
                {names.map((name, column) => (
                  <td key={name} data-used={fieldsOf(column).length > 0}>
                    {cells[column]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
