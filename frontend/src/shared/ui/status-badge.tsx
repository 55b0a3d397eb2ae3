import classes from './status-badge.module.css';

export type StatusTone = 'good' | 'info' | 'warning' | 'danger' | 'neutral';

/** A state as a dot and a word; the colour only repeats what the word says. */
export function StatusBadge({ tone, children }: { tone: StatusTone; children: string }) {
  return (
    <span className={classes.root} data-tone={tone}>
      <span className={classes.dot} aria-hidden="true" />
      {children}
    </span>
  );
}
