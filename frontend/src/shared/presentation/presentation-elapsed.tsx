import { formatElapsed } from '../format';
import { useServerNow } from '../live/use-now';
import classes from './presentation-countdown.module.css';

/** The time since voting was opened, in the place and size of a countdown. */
export function PresentationElapsed({ openedAt }: { openedAt: string }) {
  const now = useServerNow(1_000);
  return (
    <div className={classes.root}>
      <span className={classes.label}>Voting open for</span>
      <span className={classes.time}>{formatElapsed((now - Date.parse(openedAt)) / 1_000)}</span>
    </div>
  );
}
