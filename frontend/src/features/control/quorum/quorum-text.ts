import { formatNumber } from '../../../shared/format';
import type { LiveState } from '../../../shared/live/live-events';
import { measuredLive, quorumCounts } from '../../../shared/result/chair-sentences';
import { formatPercent } from '../../../shared/result/figures';
import { capitalized, shareOf, shareWords } from '../../../shared/result/result-words';

export type QuorumState = NonNullable<LiveState['quorum']>;

/** "64 present, 90 needed. The quorum is at least 1/2 of 180; 35.56 % are present." */
export function quorumStateWords(state: QuorumState): string {
  const share = shareOf(state.quorum);
  const quorum = share ? shareWords(share) : `at least ${formatNumber(state.quorum.minimum ?? 0)}`;
  return `${capitalized(quorumCounts(measuredLive(state)))}. The quorum is ${quorum}${ofRegister(state)}.${byProxy(state)}`;
}

/** " Present: 60, represented: 4.", or empty if no one is represented. */
function byProxy({ quorum, present, represented }: QuorumState): string {
  const { attendance, unit } = quorum;
  if (attendance === 'voted' || represented.heads === 0) {
    return '';
  }
  return ` Present: ${formatNumber(present[unit])}, represented: ${formatNumber(represented[unit])}.`;
}

/** " of 180; 35.56 % are present", or empty if no one may vote. */
function ofRegister({ quorum, eligible, percent }: QuorumState): string {
  if (percent === null) {
    return '';
  }
  const isWeight = quorum.unit === 'weight';
  const all = `${isWeight ? 'weight ' : ''}${formatNumber(eligible[quorum.unit])}`;
  const verbs = {
    present: isWeight ? 'is present' : 'are present',
    voted: isWeight ? 'has voted' : 'have voted',
  };
  return ` of ${all}; ${formatPercent(percent)} ${verbs[quorum.attendance]}`;
}
