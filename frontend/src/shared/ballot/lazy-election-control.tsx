import { lazy, Suspense } from 'react';
import type { ElectionPaper } from '../elections/election-types';
import type { BallotControlProps } from './ballot-control-props';
import classes from './ballot-controls.module.css';

interface LazyElectionControlProps extends BallotControlProps {
  election: ElectionPaper;
}

const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000];

/** The voter's first load has no space for the ballot of elections. Loaded with the first election; tries repeatedly. */
const Loaded = lazy(() => load(PAUSES_MS));

async function load(pauses: number[]): Promise<{ default: typeof Missing }> {
  try {
    const { ElectionControl } = await import('./election/election-control');
    return { default: ElectionControl };
  } catch {
    const [pause, ...later] = pauses;
    if (pause === undefined) {
      return { default: Missing };
    }
    await new Promise((resolve) => window.setTimeout(resolve, pause));
    return load(later);
  }
}

export function LazyElectionControl(props: LazyElectionControlProps) {
  return (
    <Suspense fallback={<p className={classes.hint}>The ballot is loading.</p>}>
      <Loaded {...props} />
    </Suspense>
  );
}

function Missing(_: LazyElectionControlProps) {
  return (
    <p className={classes.hint} role="alert">
      The ballot could not be loaded. Check your connection and reload this page.
    </p>
  );
}
