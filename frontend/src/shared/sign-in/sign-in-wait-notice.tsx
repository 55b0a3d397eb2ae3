import { VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { SignInWait } from './patient-sign-in';
import classes from './sign-in-wait-notice.module.css';

/** The reason and the length of the wait, below the form. */
export function SignInWaitNotice({ wait }: { wait: SignInWait | null }) {
  if (wait === null) {
    return null;
  }
  if (wait.reason === 'slow') {
    return (
      <p className={classes.root} role="status">
        {TEXTS.slow}
      </p>
    );
  }
  // A new reason or another attempt has its own countdown. A new estimate of the same wait does not.
  const key = wait.reason === 'queue' ? wait.reason : `${wait.reason} ${wait.until}`;
  return <Countdown key={key} reason={wait.reason} until={wait.until} />;
}

interface CountdownProps {
  reason: 'queue' | 'full' | 'limit' | 'lost';
  until: number;
}

/** Only counts down: it pauses while a new estimate is later than the one before. */
function Countdown({ reason, until }: CountdownProps) {
  const [first] = useState(() => secondsUntil(until));
  const [shown, setShown] = useState(first);
  useEffect(() => {
    const count = () => setShown((before) => Math.min(before, secondsUntil(until)));
    count();
    const timer = window.setInterval(count, 250);
    return () => window.clearInterval(timer);
  }, [until]);
  return (
    <p className={classes.root} role="status">
      <span aria-hidden="true">{TEXTS[reason](shown)}</span>
      {/* Announced once, and not each second. */}
      <VisuallyHidden>{TEXTS[reason](first)}</VisuallyHidden>
    </p>
  );
}

const TEXTS = {
  queue: (seconds: number) =>
    seconds === 0
      ? 'Many people are signing in. It is almost your turn.'
      : `Many people are signing in. About ${timeOf(seconds)} to go.`,
  full: (seconds: number) => `Many people are signing in. ${nextTry(seconds)}`,
  limit: (seconds: number) => `Too many sign-ins have failed. ${nextTry(seconds)}`,
  lost: (seconds: number) => `The connection was lost. ${nextTry(seconds)}`,
  slow: 'Signing in takes longer than usual. Please keep this page open.',
};

function nextTry(seconds: number): string {
  return seconds === 0 ? 'Trying again …' : `Trying again in ${timeOf(seconds)}.`;
}

function timeOf(seconds: number): string {
  if (seconds > 90) {
    return `${Math.ceil(seconds / 60)} minutes`;
  }
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

function secondsUntil(until: number): number {
  return Math.max(0, Math.ceil((until - performance.now()) / 1_000));
}
