import type { ReactNode } from 'react';
import classes from './cell.module.css';
import { TestBadge } from './test-badge';

interface TwoLineCellProps {
  main: ReactNode;
  sub?: ReactNode;
  isTest?: boolean;
  /** The subject is a figure, and stands where the column's figures stand. */
  isFigure?: boolean;
}

/** The subject of a row, with a second line in a quieter color. */
export function TwoLineCell({ main, sub, isTest, isFigure }: TwoLineCellProps) {
  return (
    <div>
      <div className={`${classes.main} ${classes.clamp}`} data-figure={isFigure}>
        {main}
        {isTest ? (
          <>
            {' '}
            <TestBadge />
          </>
        ) : null}
      </div>
      {sub ? <div className={`${classes.sub} ${classes.clamp}`}>{sub}</div> : null}
    </div>
  );
}
