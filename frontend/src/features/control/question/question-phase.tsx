import { formatElapsed } from '../../../shared/format';
import { useServerNow } from '../../../shared/live/use-now';
import { StatusBadge } from '../../../shared/ui/status-badge';
import type { RoundEnd } from '../agenda/agenda-state';
import classes from './question-panel.module.css';

const PAST: Record<RoundEnd, string> = { ended: 'Ended', counted: 'Counted', declared: 'Declared' };
const SHOWN: Record<RoundEnd, string> = {
  ended: 'On the presentation, voting closed',
  counted: 'On the presentation, votes counted',
  declared: 'On the presentation, result declared',
};

interface PhaseProps {
  /** The end of the question's last round; null if there was none. */
  ended: RoundEnd | null;
  isOpen: boolean;
  isShown: boolean;
}

/** The state of the question as a badge. */
export function Phase({ isOpen, isShown, ended }: PhaseProps) {
  if (isOpen) {
    return <StatusBadge tone="good">Voting open</StatusBadge>;
  }
  if (isShown) {
    return (
      <StatusBadge tone="info">{ended ? SHOWN[ended] : 'On the presentation, not opened yet'}</StatusBadge>
    );
  }
  return <StatusBadge tone="neutral">{ended ? PAST[ended] : 'Not on the presentation'}</StatusBadge>;
}

/** The time since voting on the question was opened. */
export function Elapsed({ since }: { since: string }) {
  const now = useServerNow(1_000);
  return (
    <span className={classes.elapsed} role="timer" aria-label="Elapsed time">
      Elapsed {formatElapsed((now - Date.parse(since)) / 1_000)}
    </span>
  );
}
