import type { ReactNode } from 'react';
import classes from './warning-note.module.css';

interface WarningNoteProps {
  /** What is in its way names it by this. */
  id?: string;
  children: ReactNode;
}

/** Something to know before going on, where it is about to be done. */
export function WarningNote({ id, children }: WarningNoteProps) {
  return (
    <p id={id} className={classes.root}>
      {children}
    </p>
  );
}
