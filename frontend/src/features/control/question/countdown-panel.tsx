import { SegmentedControl, VisuallyHidden } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import { useState } from 'react';
import { formatElapsed, formatTime } from '../../../shared/format';
import { isEnding, secondsLeft } from '../../../shared/live/countdown';
import { serverNow } from '../../../shared/live/server-clock';
import { useServerNow } from '../../../shared/live/use-now';
import { numberOf, wholeNumber } from '../../../shared/number-text';
import { BusyButton } from '../../../shared/ui/busy-button';
import { NumberField } from '../../../shared/ui/number-field';
import type { StepKind } from '../steps/step-commands';
import classes from './countdown-panel.module.css';

interface CountdownPanelProps {
  /** The time at which the voting closes by itself; null without a countdown. */
  closesAt: string | null;
  underWay: StepKind | null;
  onStart: (seconds: number) => void;
  onExtend: (secondsFromNow: number) => void;
  onStop: () => void;
}

/** The limits of the server. */
const SHORTEST = 5;
const LONGEST = 3_600;
const EXTENSION = 30;
const ownLength = wholeNumber(LONGEST, `From ${SHORTEST} to ${LONGEST} seconds`, SHORTEST);

const LENGTHS = [
  { value: '30', label: '30 s' },
  { value: '60', label: '1 min' },
  { value: '120', label: '2 min' },
  { value: '300', label: '5 min' },
  { value: 'own', label: 'Custom' },
];

/** Sets a countdown that closes the voting. The server measures the time, even if this screen is closed. */
export function CountdownPanel({ closesAt, underWay, onStart, onExtend, onStop }: CountdownPanelProps) {
  return (
    <section className={classes.root} aria-label="Countdown">
      {closesAt === null ? (
        <CountdownStart underWay={underWay} onStart={onStart} />
      ) : (
        <RunningCountdown closesAt={closesAt} underWay={underWay} onExtend={onExtend} onStop={onStop} />
      )}
    </section>
  );
}

function CountdownStart({ underWay, onStart }: Pick<CountdownPanelProps, 'underWay' | 'onStart'>) {
  const [length, setLength] = useState('60');
  const [own, setOwn] = useState('90');
  const seconds = numberOf(length === 'own' ? own : length, ownLength);
  const isValid = !Number.isNaN(seconds);

  return (
    <div className={classes.start}>
      <span className={classes.label}>Countdown</span>
      <SegmentedControl
        classNames={{ root: classes.lengths, label: classes.choice }}
        aria-label="Length of the countdown"
        size="sm"
        value={length}
        onChange={setLength}
        data={LENGTHS}
      />
      {length === 'own' ? (
        <NumberField
          className={classes.own}
          aria-label="Length in seconds"
          rightSection={<span aria-hidden="true">s</span>}
          rightSectionPointerEvents="none"
          rule={ownLength}
          value={own}
          onChange={setOwn}
          error={isValid ? undefined : ownLength.wanted}
        />
      ) : null}
      <BusyButton
        variant="default"
        isBusy={underWay === 'countdown'}
        busyLabel="Starting…"
        leftSection={<IconHourglass size={18} stroke={1.75} aria-hidden="true" />}
        onClick={() => isValid && onStart(seconds)}
      >
        Start Countdown
      </BusyButton>
    </div>
  );
}

interface RunningCountdownProps extends Omit<CountdownPanelProps, 'closesAt' | 'onStart'> {
  closesAt: string;
}

function RunningCountdown({ closesAt, underWay, onExtend, onStop }: RunningCountdownProps) {
  const now = useServerNow(250);
  const left = secondsUntil(closesAt, now);

  function handleExtend() {
    onExtend(Math.min(LONGEST, secondsUntil(closesAt, serverNow()) + EXTENSION));
  }

  return (
    <div className={classes.running} data-ending={isEnding(left)}>
      <p className={classes.rest}>
        <span className={classes.time} role="timer" aria-label="Time left">
          {left > 0 ? formatElapsed(left) : 'Closing…'}
        </span>
        <span className={classes.when}>Voting closes automatically at {formatTime(closesAt)}</span>
      </p>
      <VisuallyHidden role="status">{milestone(left)}</VisuallyHidden>
      <div className={classes.buttons}>
        <BusyButton
          variant="default"
          isBusy={underWay === 'extend'}
          busyLabel="Extending…"
          onClick={handleExtend}
        >
          +30 s
        </BusyButton>
        <BusyButton
          variant="default"
          isBusy={underWay === 'stop-countdown'}
          busyLabel="Cancelling…"
          onClick={onStop}
        >
          Cancel Countdown
        </BusyButton>
      </div>
    </div>
  );
}

/** The delay of the server's time. Without it, the first second of a minute would read 1:01. */
const LAG_MS = 250;

function secondsUntil(closesAt: string, now: number): number {
  return secondsLeft(closesAt, now + LAG_MS);
}

/** The announcements for screen readers: a running number would be announced without end. */
function milestone(left: number): string {
  if (isEnding(left)) {
    return '10 seconds left';
  }
  return left <= 30 ? '30 seconds left' : 'The countdown runs';
}
