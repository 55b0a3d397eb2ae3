import type { ReactNode } from 'react';
import classes from './split-grid.module.css';

/** Cards next to each other if there is space. */
export function SplitGrid({ children }: { children: ReactNode }) {
  return <div className={classes.root}>{children}</div>;
}
