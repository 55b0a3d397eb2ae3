import { IconCircleCheck } from '@tabler/icons-react';
import classes from './option-mark.module.css';
import type { ShareRow } from './shares';

/** Marks an elected option, and one of several that were tied for a seat. */
export function OptionMark({ row }: { row: Pick<ShareRow, 'isElected' | 'isTied'> }) {
  return (
    <>
      {row.isElected ? (
        <span className={classes.root}>
          <IconCircleCheck stroke={2} aria-hidden="true" />
          Elected
        </span>
      ) : null}
      {row.isTied ? (
        <span className={classes.root} data-kind="tie">
          Tie
        </span>
      ) : null}
    </>
  );
}
