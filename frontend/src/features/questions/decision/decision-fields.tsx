import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import type { QuestionType } from '../../../api/types';
import { GroupPicker } from '../../../shared/groups/group-picker';
import type { NamedKinds } from '../../../shared/result/weight-names';
import { errorsUnder } from '../../../shared/terms/terms-errors';
import { NumberField } from '../../../shared/ui/number-field';
import { ConditionFields, type UnitsOf, unitOptions } from './condition-fields';
import { exampleSentence } from './decision-advice';
import { canTie, decisionKinds, type DecisionFields as Fields, seatsRule, withKind } from './decision-form';
import { FurtherConditions } from './further-conditions';
import { RuleCards } from './rule-cards';

interface DecisionFieldsProps {
  questionType: QuestionType;
  /** The number of options that can be elected. */
  optionCount: number;
  decision: Fields;
  /** The kinds that the question counts by. */
  kinds: NamedKinds;
  hasSecondWeight: boolean;
  /** Messages by field of the rule. */
  errors: Record<string, ReactNode>;
  /** The error of the rule as a whole. */
  error: ReactNode;
  onChange: (decision: Fields) => void;
}

/** The decision rule of a question, and the fields of that rule. */
export function DecisionFields({
  questionType,
  optionCount,
  decision,
  kinds,
  hasSecondWeight,
  errors,
  error,
  onChange,
}: DecisionFieldsProps) {
  const change = (changes: Partial<Fields>) => onChange({ ...decision, ...changes });
  const { kind } = decision;
  const units = unitOptions(kinds, hasSecondWeight, decision.units);
  const isNamedMajority = !['none', 'own', 'plurality', 'each_option'].includes(kind);

  return (
    <>
      <RuleCards
        kinds={decisionKinds(questionType)}
        value={kind}
        exampleOf={(each) => exampleSentence(each, kinds, each === kind ? decision : null)}
        error={error}
        onChange={(chosen) => onChange(withKind(decision, chosen))}
      />
      {isNamedMajority || kind === 'plurality' ? (
        <NativeSelect
          label={kind === 'condominium' ? 'Votes counted by' : 'Counted by'}
          data={kind === 'plurality' ? units.slice(0, 2) : units}
          value={decision.units}
          error={errors.unit ?? errors.units}
          onChange={(event) => change({ units: event.currentTarget.value as Fields['units'] })}
        />
      ) : null}
      <Conditions
        decision={decision}
        unitsOf={(current) => unitOptions(kinds, hasSecondWeight, current)}
        errors={errors}
        onChange={change}
      />
      {isNamedMajority || kind === 'own' ? (
        <GroupPicker
          label="Majority in each group"
          description="The majority is needed among the members of each of these groups as well as in total."
          value={decision.inEach}
          error={errors.inEach}
          onChange={(inEach) => change({ inEach })}
        />
      ) : null}
      {kind === 'plurality' || kind === 'each_option' ? (
        <NumberField
          label="Seats"
          description={
            kind === 'plurality'
              ? 'How many options are elected.'
              : 'How many options are elected. Left empty, all that reach the majority.'
          }
          rule={seatsRule(optionCount)}
          value={decision.seats}
          error={errors.seats}
          onChange={(seats) => change({ seats })}
        />
      ) : null}
      {canTie(decision) ? (
        <NativeSelect
          label="A tie"
          data={[
            { value: 'rejected', label: 'Rejects' },
            { value: 'accepted', label: 'Accepts' },
            { value: 'casting_vote', label: 'Is decided by the casting vote of the chair' },
          ]}
          value={decision.onTie}
          error={errors.tie ?? errors.onTie}
          onChange={(event) => change({ onTie: event.currentTarget.value as Fields['onTie'] })}
        />
      ) : null}
    </>
  );
}

interface ConditionsProps extends Pick<DecisionFieldsProps, 'decision' | 'errors'> {
  unitsOf: UnitsOf;
  onChange: (changes: Partial<Fields>) => void;
}

/** The shares of an own rule, or the share that each option needs. */
function Conditions({ decision, unitsOf, errors, onChange }: ConditionsProps) {
  if (decision.kind === 'each_option') {
    return (
      <ConditionFields
        legend="Share that each option needs"
        condition={decision.first}
        units={unitsOf(decision.first.units).filter(({ value }) => value !== 'second_weight')}
        isOfOption
        errors={errorsUnder(errors, 'condition')}
        onChange={(first) => onChange({ first })}
      />
    );
  }
  return decision.kind === 'own' ? (
    <>
      <ConditionFields
        legend="Share"
        condition={decision.first}
        units={unitsOf(decision.first.units)}
        errors={errorsUnder(errors, 'conditions.0')}
        onChange={(first) => onChange({ first })}
      />
      <FurtherConditions
        further={decision.further}
        unitsOf={unitsOf}
        errors={errors}
        onChange={(further) => onChange({ further })}
      />
    </>
  ) : null;
}
