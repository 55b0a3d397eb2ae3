import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './text-link.module.css';

/** A link within a text: underlined, in the text's color. */
export function TextLink({ to, state, children }: { to: string; state?: unknown; children: ReactNode }) {
  return (
    <Link to={to} state={state} className={classes.root}>
      {children}
    </Link>
  );
}
