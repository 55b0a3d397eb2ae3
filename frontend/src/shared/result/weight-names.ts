import type { CountedWeightKind } from '../../api/types';
import { formatNumber } from '../format';

/* The names of weights. The ordinary weight has no kind. Every screen needs them, including voters' phones. */

export type NamedKind = Pick<CountedWeightKind, 'name' | 'unit'> | null | undefined;

/** "weight", or the name of its kind. */
export function weightName(kind: NamedKind): string {
  return kind?.name ?? 'weight';
}

/** The head of a column: "Weight", or "Floor area (m²)". */
export function weightHead(kind: NamedKind): string {
  return kind ? kind.name + (kind.unit ? ` (${kind.unit})` : '') : 'Weight';
}

/** "weight 183.25", or "Floor area 183.25 m²". */
export function weightAmount(amount: number, kind: NamedKind): string {
  return `${weightName(kind)} ${formatNumber(amount)}${unitAfter(kind)}`;
}

/** " m²"; nothing for numbers without a unit. */
export function unitAfter(kind: NamedKind): string {
  return kind?.unit ? ` ${kind.unit}` : '';
}
