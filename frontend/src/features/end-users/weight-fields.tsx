import type { ReactNode } from 'react';
import type { KindWeight, WeightKind } from '../../api/types';
import { NumberField } from '../../shared/ui/number-field';
import { weightRuleOf } from '../../shared/weights/weight-text';

interface WeightFieldsProps {
  kinds: WeightKind[];
  /** As typed. */
  weights: KindWeight[];
  /** Messages by the paths of the form. */
  errors: Record<string, ReactNode>;
  /** Called with the place of the value among the weights: that of a kind without one is after the last. */
  onChange: (place: number, weight: KindWeight) => void;
}

/** A person's value of each kind of weight. An organization without kinds does not see any. */
export function WeightFields({ kinds, weights, errors, onChange }: WeightFieldsProps) {
  return kinds.map((kind) => {
    const found = weights.findIndex(({ kindId }) => kindId === kind.id);
    const place = found === -1 ? weights.length : found;
    return (
      <NumberField
        key={kind.id}
        label={kind.unit === null ? kind.name : `${kind.name} (${kind.unit})`}
        description="Left empty, it counts as 0."
        rule={weightRuleOf(kind)}
        value={weights[found]?.value}
        error={found === -1 ? undefined : errors[`weights.${place}.value`]}
        onChange={(value) => onChange(place, { kindId: kind.id, value })}
      />
    );
  });
}
