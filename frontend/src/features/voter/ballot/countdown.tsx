import { VisuallyHidden } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { formatElapsed } from '../../../shared/format';
import { isEnding, secondsLeft } from '../../../shared/live/countdown';
import { useServerNow } from '../../../shared/live/use-now';
import classes from './countdown.module.css';

const TICK_MS = 250;

/** The time left for voting, by the server's clock. Only the server closes the voting. */
export function Countdown({ closesAt }: { closesAt: string }) {
  const left = secondsLeft(closesAt, useServerNow(TICK_MS));
  return (
    <>
      <p className={classes.root} role="timer" data-late={isEnding(left)}>
        <IconClock size={18} stroke={1.75} aria-hidden="true" />
        {left > 0 ? `Voting closes in ${formatElapsed(left)}` : 'Voting is closing…'}
      </p>
      <VisuallyHidden role="status">{announcement(left)}</VisuallyHidden>
    </>
  );
}

/** Changes only a few times, because the screen reader also reads the question. */
function announcement(left: number): string {
  if (left === 0) {
    return 'Voting is closing.';
  }
  const bound = [10, 30, 60].find((seconds) => left <= seconds);
  return bound === undefined
    ? 'A countdown runs until voting closes.'
    : `Voting closes in at most ${bound} seconds.`;
}
