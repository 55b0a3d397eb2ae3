import type { QuorumState } from '../../api/types';
import { formatNumber } from '../format';
import type { PresentationPhase } from './presentation-phase';

interface QuorumMeter {
  /** "Quorum: 64 of 90 needed" */
  words: string;
  /** How much of the bar is filled, and where on it enough is reached. */
  filledPercent: number;
  markPercent: number;
}

/** While there is something to wait for. Votes are counted for a quorum only while they are taken. */
export function hasMeter(phase: PresentationPhase, { quorum }: QuorumState): boolean {
  return phase === 'open' || (quorum.attendance === 'present' && (phase === 'waiting' || phase === 'shown'));
}

export function quorumMeter(state: QuorumState): QuorumMeter {
  const { numerator, denominator } = state.quorum;
  return {
    words: `Quorum: ${figures(state)}`,
    filledPercent: Math.min(100, state.percent ?? 0),
    markPercent: (numerator / denominator) * 100,
  };
}

function figures({ quorum, attending, needed, isMet }: QuorumState): string {
  if (needed === null) {
    return 'nobody may vote yet';
  }
  const votes = quorum.attendance === 'voted' ? ' votes' : '';
  const unit = quorum.unit === 'weight' ? ' by weight' : '';
  // A weight that is just as much as this is not more than it.
  const more = attending === needed && !isMet ? 'more than ' : '';
  return `${formatNumber(attending)} of ${more}${formatNumber(needed)}${votes}${unit} needed`;
}
