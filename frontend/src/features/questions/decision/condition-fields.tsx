import { NativeSelect, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { type NamedKinds, weightName } from '../../../shared/result/weight-names';
import { ShareField } from '../../../shared/terms/share-field';
import { NumberField } from '../../../shared/ui/number-field';
import classes from './condition-fields.module.css';
import { blockingMinorityRule, type ConditionFields as Fields } from './decision-form';

interface ConditionFieldsProps {
  legend: string;
  condition: Fields;
  units: UnitOption[];
  /** For a condition of each option, which has no votes against it. */
  isOfOption?: boolean;
  /** Messages by field. */
  errors: Record<string, ReactNode>;
  onChange: (condition: Fields) => void;
}

const BASES: { value: Fields['base']; label: string }[] = [
  { value: 'yes_plus_no', label: 'Yes and no (abstentions do not count)' },
  { value: 'votes_cast', label: 'Votes cast (abstentions count)' },
  { value: 'whole_register', label: 'The whole register' },
  { value: 'connected_at_opening', label: 'Those present (at opening, or by voting)' },
];

const OPTION_BASES: typeof BASES = [
  { value: 'votes_without_abstentions', label: 'Votes cast (abstentions do not count)' },
  ...BASES.slice(1),
];

interface UnitOption {
  value: Fields['units'];
  label: string;
}

/** The units to choose from, if the first one is chosen now. */
export type UnitsOf = (current: Fields['units']) => UnitOption[];

/**
 * The units of a condition, by the names of their kinds. A second weight that the question has no more stays chosen, with
 * an error, until the organizer chooses another unit.
 */
export function unitOptions(
  { weightKind, secondWeightKind }: NamedKinds,
  hasSecondWeight: boolean,
  current: Fields['units'],
): UnitOption[] {
  const second = hasSecondWeight
    ? (secondWeightKind?.name ?? 'Second weight')
    : 'Second weight (none chosen)';
  return [
    { value: 'heads', label: 'Heads' },
    { value: 'weight', label: weightKind?.name ?? 'Weight' },
    { value: 'both', label: `Heads and ${weightName(weightKind)}, each` },
    ...(hasSecondWeight || current === 'second_weight'
      ? [{ value: 'second_weight' as const, label: second }]
      : []),
  ];
}

/** The needed share, its base, and its units. */
export function ConditionFields(props: ConditionFieldsProps) {
  const { legend, condition, units, isOfOption = false, errors, onChange } = props;
  const change = (changes: Partial<Fields>) => onChange({ ...condition, ...changes });
  return (
    <>
      <ShareField legend={legend} share={condition} errors={errors} onChange={change}>
        <NativeSelect
          className={classes.base}
          label="Of"
          data={isOfOption ? OPTION_BASES : BASES}
          value={condition.base}
          error={errors.base}
          onChange={(event) => change({ base: event.currentTarget.value as Fields['base'] })}
        />
        <NativeSelect
          className={classes.base}
          label="By"
          data={units}
          value={condition.units}
          error={errors.units ?? errors.unit}
          onChange={(event) => change({ units: event.currentTarget.value as Fields['units'] })}
        />
      </ShareField>
      {isOfOption ? null : (
        <BlockingMinority condition={condition} error={errors.blockingMinority} onChange={change} />
      )}
    </>
  );
}

interface BlockingMinorityProps extends Pick<ConditionFieldsProps, 'condition'> {
  error: ReactNode;
  onChange: (changes: Partial<Fields>) => void;
}

/** The smallest number of people who can prevent the condition from being met. */
function BlockingMinority({ condition, error, onChange }: BlockingMinorityProps) {
  return (
    <>
      <Switch
        label="Blocking minority"
        // Without it, the description in the same <label> would be part of the name.
        aria-label="Blocking minority"
        description="If fewer people are not in favor, the condition counts as met."
        checked={condition.hasBlockingMinority}
        onChange={(event) => onChange({ hasBlockingMinority: event.currentTarget.checked })}
      />
      {condition.hasBlockingMinority ? (
        <NumberField
          label="People of a blocking minority"
          rule={blockingMinorityRule}
          value={condition.blockingMinority}
          error={error}
          onChange={(blockingMinority) => onChange({ blockingMinority })}
        />
      ) : null}
    </>
  );
}
