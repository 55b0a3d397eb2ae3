import type { ReactNode } from 'react';
import classes from './cell.module.css';

/** What a row is about, with a quieter second line. */
export function TwoLineCell({ main, sub }: { main: ReactNode; sub?: ReactNode }) {
  return (
    <div>
      <div className={`${classes.main} ${classes.clamp}`}>{main}</div>
      {sub ? <div className={`${classes.sub} ${classes.clamp}`}>{sub}</div> : null}
    </div>
  );
}
