import { formatElapsed } from '../format';
import { isEnding, secondsLeft } from '../live/countdown';
import { useServerNow } from '../live/use-now';
import classes from './presentation-countdown.module.css';

/** The time until voting closes. The server closes it and announces that; until then it is open. */
export function PresentationCountdown({ closesAt }: { closesAt: string }) {
  const seconds = secondsLeft(closesAt, useServerNow(250));
  return (
    <div className={classes.root} data-ending={isEnding(seconds)} role="timer">
      <span className={classes.label}>{label(seconds)}</span>
      <span className={classes.time}>{formatElapsed(seconds)}</span>
    </div>
  );
}

function label(seconds: number): string {
  if (seconds === 0) {
    return 'Time is up';
  }
  return isEnding(seconds) ? 'Last seconds to vote' : 'Voting closes in';
}
