import classes from './key-legend.module.css';

/** The keys of the control view, and the action of each. */
export function KeyLegend() {
  return (
    <ul className={classes.root} aria-label="Keyboard">
      <li>
        <kbd className={classes.key}>←</kbd> Previous
      </li>
      <li>
        <kbd className={classes.key}>Space</kbd> Start / End
      </li>
      <li>
        <kbd className={classes.key}>→</kbd> Next
      </li>
      <li>
        <kbd className={classes.key}>M</kbd> Minutes
      </li>
    </ul>
  );
}
