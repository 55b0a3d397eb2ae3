import classes from './test-badge.module.css';

/** Behind the name of what a test has made, or what is called like it. */
export function TestBadge() {
  return (
    <span className={classes.root} title="Test data: it counts in no figure and no export.">
      Test
    </span>
  );
}
