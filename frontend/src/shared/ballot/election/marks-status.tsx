import classes from './election.module.css';

interface MarksStatusProps {
  /** What is marked, and how much is left. */
  counts: string;
  /** The effect of the last input. */
  said: string;
}

/**
 * What is marked and what is left. It stays in sight while the ballot scrolls, and screen readers read it after each
 * input.
 */
export function MarksStatus({ counts, said }: MarksStatusProps) {
  return (
    <p className={classes.status} role="status">
      {said ? <span className={classes.said}>{said}</span> : null} <span>{counts}</span>
    </p>
  );
}
