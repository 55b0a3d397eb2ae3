import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useId, useRef } from 'react';
import { formatNumber } from '../../../shared/format';
import type { LiveState } from '../../../shared/live/live-events';
import { useNow } from '../../../shared/live/use-now';
import type { StepOrder } from '../steps/step-commands';
import classes from './ending-guard.module.css';
import type { VoteTrail } from './recent-votes';

interface EndingGuardProps {
  ending: NonNullable<StepOrder['ending']>;
  live: LiveState;
  trail: VoteTrail;
  onConfirm: () => void;
  onCancel: () => void;
}

/**
 * Asks before a round is ended while votes come in. It stands away from the button that was pressed, and what has
 * the focus keeps the voting open: a second click or press in the same place ends nothing.
 */
export function EndingGuard({ ending, live, trail, onConfirm, onCancel }: EndingGuardProps) {
  const id = useId();
  const keep = useRef<HTMLButtonElement>(null);
  useNow(1_000);

  useEffect(() => keep.current?.focus(), []);

  return (
    <div
      className={classes.root}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
    >
      <IconAlertTriangle className={classes.icon} size={20} stroke={1.75} aria-hidden="true" />
      <div className={classes.words}>
        <p id={`${id}-title`} className={classes.title}>
          {turnoutWords(trail.recent(), live.registerSize - live.voteCount)}
        </p>
        <p id={`${id}-text`} className={classes.text}>
          {ending.consequence} Votes that arrive later are not counted.
        </p>
        <div className={classes.actions}>
          <Button ref={keep} onClick={onCancel}>
            Keep Voting Open
          </Button>
          <Button variant="outline" color="var(--plenum-danger)" onClick={onConfirm}>
            {ending.confirmLabel}
          </Button>
        </div>
      </div>
    </div>
  );
}

export function turnoutWords(recent: number, missing: number): string {
  if (missing <= 0) {
    return 'Everyone has voted now.';
  }
  const have = missing === 1 ? 'has' : 'have';
  return recent > 0
    ? `Votes are still coming in: ${formatNumber(recent)} in the last 10 seconds, ${formatNumber(missing)} ${have} not voted.`
    : `No vote came in during the last 10 seconds, ${formatNumber(missing)} ${have} not voted.`;
}
