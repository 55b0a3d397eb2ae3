import classes from './test-badge.module.css';

/** Marks a name as test data. */
export function TestBadge() {
  return (
    <span className={classes.root} title="Test data: it counts in no figure and no export.">
      Test
    </span>
  );
}
