import type { EndUser, WeightKind } from '../../api/types';
import { formatNumber } from '../../shared/format';
import { unitAfter } from '../../shared/result/weight-names';
import { TwoLineCell } from '../../shared/ui/two-line-cell';
import { formatWeightText } from '../../shared/weights/weight-text';

/** More kinds than these are counted only, so that a row stays low. */
const NAMED_KINDS = 3;

interface WeightCellProps {
  endUser: Pick<EndUser, 'weight' | 'weights'>;
  kinds: WeightKind[];
}

/** A person's ordinary weight and, below it, the values of the organization's kinds of weight. */
export function WeightCell({ endUser: { weight, weights }, kinds }: WeightCellProps) {
  const values = kinds.flatMap((kind) => {
    const value = weights.find(({ kindId }) => kindId === kind.id)?.value;
    return value === undefined ? [] : [`${kind.name} ${formatWeightText(value)}${unitAfter(kind)}`];
  });
  const more = values.length - NAMED_KINDS;
  const named = more > 0 ? [...values.slice(0, NAMED_KINDS), `${more} more`] : values;
  return <TwoLineCell main={formatNumber(weight)} sub={named.join(' · ')} isFigure />;
}
