import type { Result } from '../../api/types';
import { formatNumber } from '../format';
import { weightAmount } from './weight-names';

type Count = Result['votesCast'];

/** "By device 120, on paper 30, at a voting place 4." Null if all votes came from devices of voters. */
export function waysSentence({ ways }: Pick<Result, 'ways'>): string | null {
  return ways ? `${waysWith(ways, ({ heads }) => formatNumber(heads), ', ')}.` : null;
}

/** The same with weights: "By device 120, weight 130; on paper 30, weight 30." */
export function waysSentenceByWeight({
  ways,
  weightKind,
}: Pick<Result, 'ways' | 'weightKind'>): string | null {
  return ways
    ? `${waysWith(ways, ({ heads, weight }) => `${formatNumber(heads)}, ${weightAmount(weight, weightKind)}`, '; ')}.`
    : null;
}

/** Ways that nobody used are left out. */
function waysWith(
  { device, paper, votingPlace }: NonNullable<Result['ways']>,
  words: (count: Count) => string,
  separator: string,
): string {
  return [
    `By device ${words(device)}`,
    paper.heads > 0 ? `on paper ${words(paper)}` : null,
    votingPlace.heads > 0 ? `at a voting place ${words(votingPlace)}` : null,
  ]
    .filter((part) => part !== null)
    .join(separator);
}
