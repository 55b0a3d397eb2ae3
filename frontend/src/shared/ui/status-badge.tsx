import type { ReactNode } from 'react';
import classes from './status-badge.module.css';

export type StatusTone = 'good' | 'info' | 'warning' | 'danger' | 'neutral';

interface StatusBadgeProps {
  tone: StatusTone;
  /** An icon instead of the dot, if colors alone would not distinguish the states. */
  sign?: ReactNode;
  /** The state is in progress: the sign rotates. */
  isRunning?: boolean;
  children: string;
}

/** A state as a sign and a word; the color only repeats the word. */
export function StatusBadge({ tone, sign, isRunning = false, children }: StatusBadgeProps) {
  return (
    <span className={classes.root} data-tone={tone}>
      {sign ? (
        <span className={classes.sign} data-running={isRunning} aria-hidden="true">
          {sign}
        </span>
      ) : (
        <span className={classes.dot} aria-hidden="true" />
      )}
      {children}
    </span>
  );
}
