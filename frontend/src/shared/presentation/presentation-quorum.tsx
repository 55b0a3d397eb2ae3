import { IconCircleCheck, IconHourglass } from '@tabler/icons-react';
import type { QuorumState } from '../../api/types';
import classes from './presentation-quorum.module.css';
import { quorumMeter } from './quorum-meter';

/** How far the hall is from its quorum: a line of words, with a bar that has a mark where enough is reached. */
export function PresentationQuorum({ state }: { state: QuorumState }) {
  const { words, filledPercent, markPercent } = quorumMeter(state);
  const Icon = state.isMet ? IconCircleCheck : IconHourglass;
  return (
    <p className={classes.root} data-met={state.isMet}>
      <Icon className={classes.icon} stroke={2.25} aria-hidden="true" />
      <span>
        {words}, {state.isMet ? 'met' : 'not met'}
      </span>
      <span className={classes.track} aria-hidden="true">
        <span className={classes.bar} style={{ width: `${filledPercent}%` }} />
        <span className={classes.mark} style={{ insetInlineStart: `${markPercent}%` }} />
      </span>
    </p>
  );
}
