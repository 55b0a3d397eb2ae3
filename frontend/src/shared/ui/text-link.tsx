import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './text-link.module.css';

/** A link among other texts: underlined, in their color. */
export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={classes.root}>
      {children}
    </Link>
  );
}
