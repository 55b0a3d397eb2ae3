import { formatNumber } from '../../../shared/format';
import type { LiveState } from '../../../shared/live/live-events';
import { measuredLive, presentWords, quorumCounts } from '../../../shared/result/chair-sentences';
import { formatPercent } from '../../../shared/result/figures';
import { capitalized, shareOf, shareWords } from '../../../shared/result/result-words';

export type QuorumState = NonNullable<LiveState['quorum']>;

/**
 * "64 present, 90 needed. The quorum is at least 1/2 of 180; 35.56 % are present." In a meeting with check-in, those
 * present are checked in.
 */
export function quorumStateWords(state: QuorumState, hasCheckIn: boolean): string {
  const share = shareOf(state.quorum);
  const quorum = share ? shareWords(share) : `at least ${formatNumber(state.quorum.minimum ?? 0)}`;
  return `${capitalized(quorumCounts(measuredLive(state)))}. The quorum is ${quorum}${ofRegister(state)}.${byProxy(state, hasCheckIn)}`;
}

/** " Checked in: 60, by proxy: 4.", or empty if no one is represented. */
function byProxy({ quorum, present, represented }: QuorumState, hasCheckIn: boolean): string {
  const { attendance, unit } = quorum;
  if (attendance === 'voted' || represented.heads === 0) {
    return '';
  }
  const there = hasCheckIn ? 'Checked in' : 'Present';
  return ` ${there}: ${formatNumber(present[unit])}, by proxy: ${formatNumber(represented[unit])}.`;
}

/** " of 180; 35.56 % are present", or empty if no one may vote. */
function ofRegister({ quorum, eligible, percent, represented }: QuorumState): string {
  if (percent === null) {
    return '';
  }
  const isWeight = quorum.unit === 'weight';
  const all = `${isWeight ? 'weight ' : ''}${formatNumber(eligible[quorum.unit])}`;
  const verbs = {
    present: `${isWeight ? 'is' : 'are'} ${presentWords(represented.heads > 0)}`,
    voted: isWeight ? 'has voted' : 'have voted',
  };
  return ` of ${all}; ${formatPercent(percent)} ${verbs[quorum.attendance]}`;
}
