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

/** The decision as a sign and a word; the color only repeats it. */
export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  const Sign = SIGNS[outcome];
  return (
    <span className={classes.root} data-outcome={outcome}>
      <Sign size={16} stroke={2.5} aria-hidden="true" />
      {outcomeLabel(outcome)}
    </span>
  );
}
