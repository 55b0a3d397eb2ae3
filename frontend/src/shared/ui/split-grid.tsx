import type { ReactNode } from 'react';
import classes from './split-grid.module.css';

/** Cards side by side where there is room. */
export function SplitGrid({ children }: { children: ReactNode }) {
  return <div className={classes.root}>{children}</div>;
}
