import type { ReactNode } from 'react';
import classes from './desk-page.module.css';

interface DeskMessageProps {
  title: string;
  children: ReactNode;
}

/** A desk on which nothing can be done now. */
export function DeskMessage({ title, children }: DeskMessageProps) {
  return (
    <main className={classes.message}>
      <title>Desk · Plenum</title>
      <h1>{title}</h1>
      {children}
    </main>
  );
}
