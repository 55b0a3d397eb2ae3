import { IconCircleCheck, IconHourglass } from '@tabler/icons-react';
import type { QuorumState } from '../../api/types';
import classes from './presentation-quorum.module.css';
import { quorumMeter } from './quorum-meter';

/** The quorum as a sentence, and as a bar with a mark at the needed share. */
export function PresentationQuorum({ state }: { state: QuorumState }) {
  const { words, filledPercent, markPercent } = quorumMeter(state);
  const Icon = state.isMet ? IconCircleCheck : IconHourglass;
  return (
    <p className={classes.root} data-met={state.isMet}>
      <Icon className={classes.icon} stroke={2.25} aria-hidden="true" />
      <span>{words}</span>
      <span className={classes.track} aria-hidden="true">
        <span className={classes.bar} style={{ width: `${filledPercent}%` }} />
        <span className={classes.mark} style={{ insetInlineStart: `${markPercent}%` }} />
      </span>
    </p>
  );
}
