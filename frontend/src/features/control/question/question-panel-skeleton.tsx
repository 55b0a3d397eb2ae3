import { Skeleton } from '@mantine/core';
import classes from './question-panel.module.css';

/** Shown until the question on the screens is known. A step could otherwise affect the wrong question. */
export function QuestionPanelSkeleton() {
  return (
    <div className={classes.root} role="status">
      <p className={classes.coming}>Loading the state of the meeting…</p>
      <Skeleton height={240} />
    </div>
  );
}
