import { Skeleton, VisuallyHidden } from '@mantine/core';
import classes from './table-skeleton.module.css';

const ROWS = [0.9, 0.7, 0.8, 0.6, 0.75];

/** Stands where a list will be, at about its size. */
export function TableSkeleton({ label }: { label: string }) {
  return (
    <div role="status">
      <VisuallyHidden>{label}</VisuallyHidden>
      {ROWS.map((width) => (
        <div key={width} className={classes.row} aria-hidden="true">
          <Skeleton height={12} width={`${width * 30}%`} />
          <Skeleton height={12} width={`${width * 20}%`} />
          <Skeleton height={12} width={`${width * 15}%`} ml="auto" />
        </div>
      ))}
    </div>
  );
}
