import { formatElapsed } from '../../../shared/format';
import { useServerNow } from '../../../shared/live/use-now';
import { capitalized } from '../../../shared/result/result-words';
import { StatusBadge } from '../../../shared/ui/status-badge';
import { END_WORDS, NOT_OPENED, type RoundEnd } from '../agenda/agenda-state';
import classes from './question-panel.module.css';

const PAST: Record<RoundEnd, string> = {
  ended: capitalized(END_WORDS.ended),
  counted: 'Counted',
  declared: 'Declared',
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
    const state = ended ? END_WORDS[ended] : NOT_OPENED;
    return <StatusBadge tone="info">{`On the presentation, ${state}`}</StatusBadge>;
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
