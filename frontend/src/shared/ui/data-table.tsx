import { Checkbox } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowsSort, IconArrowUp, IconGripVertical } from '@tabler/icons-react';
import { Fragment, type HTMLAttributes, type ReactNode } from 'react';
import classes from './data-table.module.css';
import { useRowDrag } from './use-row-drag';

export interface Column<Row> {
  header: string;
  render: (row: Row) => ReactNode;
  align?: 'right';
  /** The column that the list can be sorted by. */
  isSortable?: boolean;
  /** Its cells have two lines, so the loading placeholder has the same height. */
  isTwoLine?: boolean;
  /** A date or a status: stays on one line, even next to long texts. */
  isUnbroken?: boolean;
  /** On phones a row is a card: the title first, then facts with their header; hidden columns are omitted. */
  onPhone: 'title' | 'fact' | 'hidden';
}

/** The choice of rows for an action on several of them. */
export interface RowSelection<Row> {
  rows: readonly Row[];
  has: (row: Row) => boolean;
  toggle: (row: Row) => void;
  toggleAll: () => void;
  /** The name of a row, for its checkbox. */
  nameOf: (row: Row) => string;
}

interface DataTableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  actions?: (row: Row) => ReactNode;
  /** The order of the sortable column; `undefined` if the list has another order. */
  sort?: 'name' | '-name' | undefined;
  onSort?: () => void;
  selection?: RowSelection<Row> | undefined;
  /** Makes rows draggable to the place of another row, counted from 0. */
  onDrop?: (row: Row, to: number) => void;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, actions, sort, onSort, selection, onDrop } = props;
  const isPhone = useIsPhone();
  const drag = useRowDrag(rows, onDrop);

  if (isPhone) {
    return <Cards {...props} drag={drag} />;
  }

  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {selection ? (
              <th scope="col" className={classes.choice}>
                <SelectAll rows={rows} selection={selection} />
              </th>
            ) : null}
            {columns.map(({ header, align, isSortable }) =>
              isSortable && onSort ? (
                <th key={header} scope="col" data-align={align} aria-sort={ARIA_SORT[sort ?? 'none']}>
                  <button type="button" className={classes.sort} onClick={onSort}>
                    {header}
                    <SortIcon sort={sort} />
                  </button>
                </th>
              ) : (
                <th key={header} scope="col" data-align={align}>
                  {header}
                </th>
              ),
            )}
            {actions ? (
              <th scope="col" className={classes.actions}>
                Actions
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={rowKey(row)} data-selected={selection?.has(row) || undefined} {...drag.rowOf(index)}>
              {selection ? (
                <td className={classes.choice}>
                  <SelectRow row={row} selection={selection} />
                </td>
              ) : null}
              {columns.map(({ header, align, isUnbroken, render }, column) => (
                <td key={header} data-align={align} data-unbroken={isUnbroken}>
                  {onDrop && column === 0 ? <DragHandle {...drag.handleOf(index)} /> : null}
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

/** On phones, each row is a card. */
function Cards<Row>(props: DataTableProps<Row> & { drag: ReturnType<typeof useRowDrag> }) {
  const { label, columns, rows, rowKey, actions, selection, onDrop, drag } = props;
  return (
    <>
      {selection ? (
        <div className={classes.selectAll}>
          <SelectAll rows={rows} selection={selection} label="Select all on this page" />
        </div>
      ) : null}
      <ul className={classes.cards} aria-label={label}>
        {rows.map((row, index) => (
          <li
            key={rowKey(row)}
            className={classes.card}
            data-selected={selection?.has(row) || undefined}
            {...drag.rowOf(index)}
          >
            <div className={classes.cardHead}>
              {onDrop ? <DragHandle {...drag.handleOf(index)} /> : null}
              {selection ? <SelectRow row={row} selection={selection} /> : null}
              {columns
                .filter(({ onPhone }) => onPhone === 'title')
                .map(({ header, render }) => (
                  <div key={header} className={classes.cardTitle}>
                    {render(row)}
                  </div>
                ))}
              {actions ? <div className={classes.cardActions}>{actions(row)}</div> : null}
            </div>
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
          </li>
        ))}
      </ul>
    </>
  );
}

interface SelectAllProps<Row> {
  rows: readonly Row[];
  selection: RowSelection<Row>;
  /** The visible label; without it, there is one for screen readers. */
  label?: string;
}

function SelectAll<Row>({ rows, selection, label }: SelectAllProps<Row>) {
  const number = selection.rows.length;
  return (
    <Checkbox
      {...(label ? { label } : { 'aria-label': 'Select all on this page' })}
      checked={number === rows.length}
      indeterminate={number > 0 && number < rows.length}
      onChange={selection.toggleAll}
    />
  );
}

function SelectRow<Row>({ row, selection }: { row: Row; selection: RowSelection<Row> }) {
  return (
    <Checkbox
      aria-label={`Select ${selection.nameOf(row)}`}
      checked={selection.has(row)}
      onChange={() => selection.toggle(row)}
    />
  );
}

function DragHandle(props: HTMLAttributes<HTMLSpanElement>) {
  return (
    <span className={classes.handle} title="Drag to another place" {...props}>
      <IconGripVertical size={16} stroke={1.75} aria-hidden="true" />
    </span>
  );
}

const ARIA_SORT = { name: 'ascending', '-name': 'descending', none: 'none' } as const;

function SortIcon({ sort }: { sort: 'name' | '-name' | undefined }) {
  const Icon = sort === 'name' ? IconArrowUp : sort === '-name' ? IconArrowDown : IconArrowsSort;
  return <Icon size={14} stroke={1.75} aria-hidden="true" />;
}

/** Whether lists show cards instead of rows. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
}
