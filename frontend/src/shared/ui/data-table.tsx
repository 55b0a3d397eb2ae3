import { useMediaQuery } from '@mantine/hooks';
import { Fragment, type ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<Row> {
  header: string;
  render: (row: Row) => ReactNode;
  align?: 'right';
  /** On phones a row is a card: the title leads, facts follow with their header, the rest is left out. */
  onPhone: 'title' | 'fact' | 'hidden';
}

interface DataTableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  actions?: (row: Row) => ReactNode;
}

export function DataTable<Row>({ label, columns, rows, rowKey, actions }: DataTableProps<Row>) {
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });

  if (isPhone) {
    return (
      <ul className={classes.cards} aria-label={label}>
        {rows.map((row) => (
          <li key={rowKey(row)} className={classes.card}>
            {columns
              .filter(({ onPhone }) => onPhone === 'title')
              .map(({ header, render }) => (
                <div key={header} className={classes.cardTitle}>
                  {render(row)}
                </div>
              ))}
            <dl className={classes.facts}>
              {columns
                .filter(({ onPhone }) => onPhone === 'fact')
                .map(({ header, render }) => (
                  <Fragment key={header}>
                    <dt>{header}</dt>
                    <dd>{render(row)}</dd>
                  </Fragment>
                ))}
            </dl>
            {actions ? <div className={classes.cardActions}>{actions(row)}</div> : null}
          </li>
        ))}
      </ul>
    );
  }

  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ header, align }) => (
              <th key={header} scope="col" data-align={align}>
                {header}
              </th>
            ))}
            {actions ? (
              <th scope="col" className={classes.actions}>
                Actions
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ header, align, render }) => (
                <td key={header} data-align={align}>
                  {render(row)}
                </td>
              ))}
              {actions ? <td className={classes.actions}>{actions(row)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
