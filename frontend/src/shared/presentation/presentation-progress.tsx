import type { PresentationState } from '../live/live-events';
import { PresentationCountdown } from './presentation-countdown';
import { PresentationElapsed } from './presentation-elapsed';
import classes from './presentation-progress.module.css';
import { PresentationVotes } from './presentation-votes';

/** Next to a question that is voted on: the time, how many have voted, and how many are missing. */
export function PresentationProgress({ presentation }: { presentation: PresentationState }) {
  const { currentQuestion, voteCount, registerSize } = presentation;
  const closesAt = currentQuestion?.closesAt ?? null;
  const openedAt = currentQuestion?.openedAt ?? null;
  return (
    <aside className={classes.root} aria-label="Votes received">
      <div className={classes.time}>
        {closesAt !== null ? (
          <PresentationCountdown closesAt={closesAt} />
        ) : openedAt !== null ? (
          <PresentationElapsed openedAt={openedAt} />
        ) : null}
      </div>
      <PresentationVotes voteCount={voteCount} registerSize={registerSize} isLarge />
    </aside>
  );
}
