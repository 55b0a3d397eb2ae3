import { countOf, formatElapsed, formatNumber } from '../../../shared/format';
import { secondsLeft } from '../../../shared/live/countdown';
import type { LiveState } from '../../../shared/live/live-events';
import { serverNow } from '../../../shared/live/server-clock';
import { useNow } from '../../../shared/live/use-now';
import type { StepOrder } from '../steps/step-commands';
import { StepGuard } from '../steps/step-guard';
import type { VoteTrail } from './recent-votes';

interface EndingGuardProps {
  ending: NonNullable<StepOrder['ending']>;
  live: LiveState;
  trail: VoteTrail;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before a round is ended while votes come in, or while its countdown runs. */
export function EndingGuard({ ending, live, trail, onConfirm, onCancel }: EndingGuardProps) {
  useNow(1_000);
  const missing = live.registerSize - live.voteCount;
  const turnout = turnoutWords(trail.recent(), missing);
  const countdown = countdownWords(live);
  const isComplete = missing <= 0;
  return (
    <StepGuard
      title={isComplete || countdown === null ? turnout : countdown}
      text={
        isComplete
          ? ending.consequence
          : `${countdown === null ? '' : `${turnout} `}${ending.consequence} Votes that arrive later are not counted.`
      }
      cancelLabel="Keep Voting Open"
      confirmLabel={ending.confirmLabel}
      manner={isComplete ? 'calm' : 'dangerous'}
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
}

/** "The countdown still runs: 58 seconds are left." Null without a countdown. */
export function countdownWords({ currentQuestion }: Pick<LiveState, 'currentQuestion'>): string | null {
  const closesAt = currentQuestion?.closesAt ?? null;
  const left = closesAt === null ? 0 : secondsLeft(closesAt, serverNow());
  if (left <= 0) {
    return null;
  }
  const rest = left > 90 ? `${formatElapsed(left)} minutes` : countOf(left, 'second');
  return `The countdown still runs: ${rest} ${left === 1 ? 'is' : 'are'} left.`;
}

export function turnoutWords(recent: number, missing: number): string {
  if (missing <= 0) {
    return 'Everyone has voted now.';
  }
  const have = missing === 1 ? 'has' : 'have';
  return recent > 0
    ? `Votes are still coming in: ${formatNumber(recent)} in the last 10 seconds, ${formatNumber(missing)} ${have} not voted.`
    : `No vote came in during the last 10 seconds, ${formatNumber(missing)} ${have} not voted.`;
}
