import { IconCircleCheck, IconUsersMinus } from '@tabler/icons-react';
import type { LiveState } from '../../../shared/live/live-events';
import { neededPercent } from '../../../shared/result/chair-sentences';
import classes from './quorum-meter.module.css';
import { type QuorumState, quorumStateWords } from './quorum-text';

interface QuorumMeterProps {
  quorum: LiveState['quorum'];
  /**
   * Whether a question or the meeting has a quorum. The space is then reserved, so that nothing moves when the question
   * changes.
   */
  isExpected: boolean;
  hasCheckIn: boolean;
}

/** The people present of those who may vote, compared with the quorum. */
export function QuorumMeter({ quorum, isExpected, hasCheckIn }: QuorumMeterProps) {
  if (quorum) {
    return <Meter state={quorum} hasCheckIn={hasCheckIn} />;
  }
  return isExpected ? <div className={classes.place} /> : null;
}

function Meter({ state, hasCheckIn }: { state: QuorumState; hasCheckIn: boolean }) {
  const Icon = state.isMet ? IconCircleCheck : IconUsersMinus;
  return (
    <section className={classes.root} data-met={state.isMet} aria-labelledby="quorum">
      <div className={classes.head}>
        <h2 id="quorum" className={classes.title}>
          Quorum
        </h2>
        {/* Announced when the quorum changes, and not with every person who arrives. */}
        <p className={classes.verdict} role="status">
          <Icon size={18} stroke={1.75} aria-hidden="true" />
          {state.isMet ? 'Quorum met' : 'Quorum not met'}
        </p>
      </div>
      <span className={classes.track} aria-hidden="true">
        <span className={classes.bar} style={{ width: `${state.percent ?? 0}%` }} />
        <span className={classes.mark} style={{ left: `${neededPercent(state)}%` }} />
      </span>
      <p className={classes.words}>{quorumStateWords(state, hasCheckIn)}</p>
    </section>
  );
}
