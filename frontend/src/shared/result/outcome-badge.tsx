import { IconAlertTriangle, IconCheck, IconHourglass, IconMinus, IconX } from '@tabler/icons-react';
import { type Outcome, outcomeLabel } from './figures';
import classes from './outcome-badge.module.css';

const SIGNS = {
  accepted: IconCheck,
  elected: IconCheck,
  rejected: IconX,
  not_elected: IconX,
  quorum_missed: IconAlertTriangle,
  casting_vote_open: IconHourglass,
  undecided: IconMinus,
};

/** The decision as a sign and a word; the color only repeats it. The count of an election can wait for a lot. */
export function OutcomeBadge({ outcome, isWaiting = false }: { outcome: Outcome; isWaiting?: boolean }) {
  const Sign = isWaiting ? IconHourglass : SIGNS[outcome];
  return (
    <span className={classes.root} data-outcome={isWaiting ? 'waiting' : outcome}>
      <Sign size={16} stroke={2.5} aria-hidden="true" />
      {isWaiting ? 'Tie not decided' : outcomeLabel(outcome)}
    </span>
  );
}
