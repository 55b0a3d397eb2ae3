import { Children, type ReactNode } from 'react';
import classes from './stat-card.module.css';

export function StatGrid({ children }: { children: ReactNode }) {
  return (
    <dl className={classes.grid} data-count={Children.toArray(children).length}>
      {children}
    </dl>
  );
}
