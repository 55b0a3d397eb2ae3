import type { ReactNode } from 'react';
import { type NamedKind, weightName } from '../../../shared/result/weight-names';
import { WeightSelect } from '../../../shared/weights/weight-select';
import { offersSecondWeight, type QuestionFormValues } from '../question-form';

type Weights = Pick<QuestionFormValues, 'weightKindId' | 'secondWeightKindId'>;

interface QuestionWeightsProps {
  values: QuestionFormValues;
  meetingKind: NamedKind;
  errors: Record<string, ReactNode>;
  onChange: (changes: Partial<Weights>) => void;
}

/** The weight that a question counts by, and a second one for rules that need two. */
export function QuestionWeights({ values, meetingKind, errors, onChange }: QuestionWeightsProps) {
  return (
    <>
      <WeightSelect
        label="Weight"
        description="What counts as the weight of a person in this question."
        none={`As the meeting (${meetingKind ? weightName(meetingKind) : 'ordinary voting weight'})`}
        value={values.weightKindId}
        error={errors.weightKindId}
        onChange={(weightKindId) => onChange({ weightKindId })}
      />
      {offersSecondWeight(values) ? (
        <WeightSelect
          label="Second weight"
          description="For rules that need two, such as votes and capital. Results show its sums beside the others."
          none="None"
          value={values.secondWeightKindId}
          error={errors.secondWeightKindId}
          onChange={(secondWeightKindId) => onChange({ secondWeightKindId })}
        />
      ) : null}
    </>
  );
}
