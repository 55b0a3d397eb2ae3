import type { ReactNode, RefObject } from 'react';
import classes from './desk-page.module.css';

interface DeskMessageProps {
  title: string;
  /** For the heading, where it may get the focus. */
  heading?: RefObject<HTMLHeadingElement | null>;
  children: ReactNode;
}

/** A desk on which nothing can be done now. */
export function DeskMessage({ title, heading, children }: DeskMessageProps) {
  return (
    <main className={classes.message}>
      <title>Desk · Plenum</title>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  );
}
