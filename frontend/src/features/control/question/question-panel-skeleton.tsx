import { Skeleton } from '@mantine/core';
import classes from './question-panel.module.css';

/** In place of the question's panel until it is known which question is on the screens: a step would be meant for another. */
export function QuestionPanelSkeleton() {
  return (
    <div className={classes.root} role="status">
      <p className={classes.coming}>Loading the state of the meeting…</p>
      <Skeleton height={240} />
    </div>
  );
}
