import { formatNumber } from '../../../shared/format';
import type { LiveState } from '../../../shared/live/live-events';
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

/** Asks before a round is ended while votes come in. */
export function EndingGuard({ ending, live, trail, onConfirm, onCancel }: EndingGuardProps) {
  useNow(1_000);
  return (
    <StepGuard
      title={turnoutWords(trail.recent(), live.registerSize - live.voteCount)}
      text={`${ending.consequence} Votes that arrive later are not counted.`}
      cancelLabel="Keep Voting Open"
      confirmLabel={ending.confirmLabel}
      isDangerous
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
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
