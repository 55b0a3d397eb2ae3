import { Skeleton, VisuallyHidden } from '@mantine/core';
import { type Column, useIsPhone } from './data-table';
import tableClasses from './data-table.module.css';
import classes from './table-skeleton.module.css';

const WIDTHS = [0.9, 0.7, 0.8, 0.6, 0.75, 0.85, 0.65, 0.95];

interface TableSkeletonProps<Row> {
  label: string;
  /** The columns of the future table; without them, lines of about its height. */
  columns?: Column<Row>[];
  hasActions?: boolean;
}

/** A placeholder of a list, in its size. */
export function TableSkeleton<Row>({ label, columns, hasActions }: TableSkeletonProps<Row>) {
  const isPhone = useIsPhone();
  return (
    <>
      <VisuallyHidden role="status">{label}</VisuallyHidden>
      <div aria-hidden="true">
        {columns && !isPhone ? (
          <TableLines columns={columns} hasActions={hasActions ?? false} />
        ) : (
          WIDTHS.map((width) => (
            <div key={width} className={isPhone ? classes.card : classes.row}>
              <Skeleton height={12} width={`${width * 30}%`} />
              <Skeleton height={12} width={`${width * 20}%`} />
              <Skeleton height={12} width={`${width * 15}%`} ml={isPhone ? 0 : 'auto'} />
            </div>
          ))
        )}
      </div>
    </>
  );
}

/** The header of the table, and rows of its height. */
function TableLines<Row>({ columns, hasActions }: { columns: Column<Row>[]; hasActions: boolean }) {
  const isTwoLine = columns.some((column) => column.isTwoLine);
  return (
    <div className={tableClasses.scroll}>
      <table className={tableClasses.table}>
        <thead>
          <tr>
            {columns.map(({ header, align }) => (
              <th key={header} data-align={align}>
                {header}
              </th>
            ))}
            {hasActions ? <th className={tableClasses.actions}>Actions</th> : null}
          </tr>
        </thead>
        <tbody>
          {WIDTHS.map((width) => (
            <tr key={width}>
              {columns.map(({ header, align }) => (
                <td key={header} className={isTwoLine ? classes.twoLine : undefined}>
                  <Skeleton height={12} width={`${width * 80}%`} ml={align === 'right' ? 'auto' : 0} />
                </td>
              ))}
              {hasActions ? <td /> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
