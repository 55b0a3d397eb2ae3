import type { NamedWeightKind, Result } from '../../api/types';
import { formatNumber } from '../format';

/* The names of weights. The ordinary weight has no kind. Every screen needs them, including voters' phones. */

/** The kinds that a result counts by, or that a question will count by. */
export interface NamedKinds {
  weightKind?: NamedKind;
  secondWeightKind?: NamedKind;
}

export type NamedKind = Pick<NamedWeightKind, 'name' | 'unit'> | null | undefined;

/** The part of a result that names its kinds. */
export type CountedKinds = Partial<Pick<Result, 'weightKind' | 'secondWeight'>>;

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

/** The kinds of a result. */
export function kindsOf({ weightKind, secondWeight }: CountedKinds): NamedKinds {
  return { weightKind, secondWeightKind: secondWeight?.kind };
}
