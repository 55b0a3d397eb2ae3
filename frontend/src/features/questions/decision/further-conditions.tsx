import { Button, NativeSelect } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { errorsUnder } from '../../../shared/terms/terms-errors';
import { ConditionFields, type UnitsOf } from './condition-fields';
import { type ConditionFields as Fields, MOST_FURTHER, ofAll } from './decision-form';
import classes from './further-conditions.module.css';

interface FurtherConditionsProps {
  further: Fields[];
  unitsOf: UnitsOf;
  /** Messages by field of the rule. */
  errors: Record<string, ReactNode>;
  onChange: (further: Fields[]) => void;
}

const ORDINALS = ['second', 'third'];

/** The conditions of a rule after the first one, each with its connection. */
export function FurtherConditions({ further, unitsOf, errors, onChange }: FurtherConditionsProps) {
  const replace = (place: number, condition: Fields) =>
    onChange(further.map((other, index) => (index === place ? condition : other)));
  return (
    <>
      {further.map((condition, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a condition is known by its place.
        <div className={classes.condition} key={place}>
          <div className={classes.head}>
            <NativeSelect
              label={`Before the ${ORDINALS[place]} condition`}
              data={[
                { value: 'and', label: 'And' },
                { value: 'or', label: 'Or' },
              ]}
              value={condition.joined}
              error={errors[`conditions.${place + 1}.joined`]}
              onChange={(event) =>
                replace(place, { ...condition, joined: event.currentTarget.value as Fields['joined'] })
              }
            />
            <Button
              variant="subtle"
              leftSection={<IconTrash size={16} aria-hidden="true" />}
              onClick={() => onChange(further.filter((_, index) => index !== place))}
            >
              Remove the {ORDINALS[place]} condition
            </Button>
          </div>
          <ConditionFields
            legend={`Share of the ${ORDINALS[place]} condition`}
            condition={condition}
            units={unitsOf(condition.units)}
            errors={errorsUnder(errors, `conditions.${place + 1}`)}
            onChange={(changed) => replace(place, changed)}
          />
        </div>
      ))}
      {further.length < MOST_FURTHER ? (
        <Button
          className={classes.add}
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => onChange([...further, ofAll])}
        >
          Add condition
        </Button>
      ) : null}
    </>
  );
}
