import type { QuorumState } from '../../api/types';
import { measuredLive, neededPercent, quorumSentence } from '../result/chair-sentences';
import type { PresentationPhase } from './presentation-phase';

interface QuorumMeter {
  /** "Quorum not met: 64 present, 90 needed." */
  words: string;
  /** The filled part of the bar, and the position of the needed share on it. */
  filledPercent: number;
  markPercent: number;
}

/** Whether the quorum can still change. A quorum of votes changes only while voting is open. */
export function hasMeter(phase: PresentationPhase, { quorum }: QuorumState): boolean {
  return phase === 'open' || (quorum.attendance === 'present' && (phase === 'waiting' || phase === 'shown'));
}

export function quorumMeter(state: QuorumState): QuorumMeter {
  return {
    words: quorumSentence(measuredLive(state)),
    filledPercent: Math.min(100, state.percent ?? 0),
    markPercent: neededPercent(state),
  };
}
