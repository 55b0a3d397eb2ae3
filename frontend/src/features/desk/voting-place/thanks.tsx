import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useIdleCountdown } from './use-idle-countdown';
import classes from './voting-place.module.css';

const SHOWN_MS = 5_000;
/** A receipt takes time to write down. */
const RECEIPT_MS = 60_000;

interface ThanksProps {
  /** Only in a secret vote. The device does not keep it. */
  receipt: string | null;
  onDone: () => void;
}

/** Tells the voter that the vote is counted, and shows the receipt of a secret vote once. */
export function Thanks({ receipt, onDone }: ThanksProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <main className={classes.calm}>
      <h1 ref={heading} className={classes.name} tabIndex={-1}>
        Thank you. The vote is counted.
      </h1>
      {receipt === null ? <Leaving onDone={onDone} /> : <Receipt receipt={receipt} onDone={onDone} />}
    </main>
  );
}

function Leaving({ onDone }: { onDone: () => void }) {
  const done = useEffectEvent(onDone);
  useEffect(() => {
    const timer = window.setTimeout(() => done(), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <Button size="lg" variant="default" onClick={onDone}>
      Next person
    </Button>
  );
}

function Receipt({ receipt, onDone }: { receipt: string; onDone: () => void }) {
  useIdleCountdown(RECEIPT_MS, onDone);
  return (
    <>
      <p>
        Your ballot is in the urn. This is your receipt. Please write it down: this screen shows it only now.
      </p>
      <code className={classes.receipt}>{receipt}</code>
      <p>
        When the result is declared, you can look for this code in the list of all ballots in the urn. It does
        not show how you voted.
      </p>
      <Button size="lg" onClick={onDone}>
        I have noted it
      </Button>
    </>
  );
}
