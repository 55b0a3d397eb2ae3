import type { QuorumState } from '../../api/types';
import { measuredLive, quorumSentence } from '../result/chair-sentences';
import type { PresentationPhase } from './presentation-phase';

interface QuorumMeter {
  /** "Quorum not met: 64 present, 90 needed." */
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
    words: quorumSentence(measuredLive(state)),
    filledPercent: Math.min(100, state.percent ?? 0),
    markPercent: (numerator / denominator) * 100,
  };
}
