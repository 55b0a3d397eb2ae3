import type { ReactNode } from 'react';
import classes from './status-badge.module.css';

export type StatusTone = 'good' | 'info' | 'warning' | 'danger' | 'neutral';

interface StatusBadgeProps {
  tone: StatusTone;
  /** An icon in place of the dot, where tones alone would leave states alike. */
  sign?: ReactNode;
  /** Something is going on: the sign turns. */
  isRunning?: boolean;
  children: string;
}

/** A state as a sign and a word; the colour only repeats what the word says. */
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
