import { formatNumber } from '../../../shared/format';
import type { LiveState } from '../../../shared/live/live-events';
import { formatPercent } from '../../../shared/result/figures';
import { shareWords } from '../../../shared/result/result-words';

export type QuorumState = NonNullable<LiveState['quorum']>;

/** "64 of 180 present, 35.56 %; at least 1/2, that is 90, are needed" */
export function quorumStateWords(state: QuorumState): string {
  const { percent, needed, quorum } = state;
  const share = percent === null ? '' : `, ${formatPercent(percent)}`;
  return `${attendingWords(state)}${share}; ${neededWords(quorum, needed)}`;
}

/** "64 of 180 present" */
function attendingWords({ quorum, attending, eligible }: QuorumState): string {
  const all = quorum.unit === 'heads' ? eligible.heads : eligible.weight;
  const by = quorum.unit === 'heads' ? '' : ' by weight';
  const verb = quorum.attendance === 'present' ? 'present' : 'voted';
  return `${formatNumber(attending)} of ${formatNumber(all)}${by} ${verb}`;
}

function neededWords(quorum: QuorumState['quorum'], needed: number | null): string {
  if (needed === null) {
    return `${shareWords(quorum)} are needed, and nobody may vote`;
  }
  // In heads it is the least number that is enough; a weight must be passed.
  const atLeast = quorum.comparison === 'more_than' && quorum.unit === 'heads' ? 'at least ' : '';
  return `${shareWords(quorum)}, that is ${atLeast}${formatNumber(needed)}, are needed`;
}
