import classes from './key-legend.module.css';

interface KeyLegendProps {
  /** What Space does now: "Start", "End". Null if it does nothing. */
  space: string | null;
}

/** The keys of the control view, and the action of each. */
export function KeyLegend({ space }: KeyLegendProps) {
  return (
    <ul className={classes.root} aria-label="Keyboard">
      <li>
        <kbd className={classes.key}>←</kbd> Previous
      </li>
      {space === null ? null : (
        <li>
          <kbd className={classes.key}>Space</kbd> {space}
        </li>
      )}
      <li>
        <kbd className={classes.key}>→</kbd> Next
      </li>
      <li>
        <kbd className={classes.key}>M</kbd> Minutes
      </li>
    </ul>
  );
}
