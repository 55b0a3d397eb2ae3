import type { ReactNode } from 'react';
import classes from './warning-note.module.css';

interface WarningNoteProps {
  /** The id by which the action refers to this warning. */
  id?: string;
  children: ReactNode;
}

/** A warning at the place of an action. */
export function WarningNote({ id, children }: WarningNoteProps) {
  return (
    <p id={id} className={classes.root}>
      {children}
    </p>
  );
}
