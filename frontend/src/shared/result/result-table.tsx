import type { Result } from '../../api/types';
import { OptionsTally } from './options-tally';
import { TotalsTable } from './totals';

/** Yes, no, abstain or the options, then invalid and not voted, in heads and in weight: figures alone, without bars. */
export function ResultTable({ result }: { result: Result }) {
  return result.options.length > 0 ? (
    <OptionsTally result={result} hasBars={false} />
  ) : (
    <TotalsTable totals={result} />
  );
}
