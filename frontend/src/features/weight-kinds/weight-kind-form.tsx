import { TextInput } from '@mantine/core';
import * as z from 'zod/mini';
import type { WeightKind, WeightKindBody } from '../../api/types';
import { filledUpTo, upTo } from '../../shared/form-checks';
import { type NumberRule, numberOf, readNumber } from '../../shared/number-text';
import { NumberField } from '../../shared/ui/number-field';
import { PanelForm } from '../../shared/ui/panel-form';
import { toast } from '../../shared/ui/toast';
import { useMutationForm } from '../../shared/use-mutation-form';
import { useSaveWeightKind } from './mutations';

const decimalsRule: NumberRule = {
  least: 0,
  most: 6,
  decimals: 0,
  wanted: 'Must be a whole number from 0 to 6.',
};

const schema = z.object({
  name: filledUpTo(100, 'Enter a name'),
  unit: upTo(20),
  /** As typed. */
  decimals: z
    .string()
    .check(z.refine((text) => readNumber(text, decimalsRule) !== null, { error: decimalsRule.wanted })),
});

/** An empty unit is sent as `null`: numbers without one. */
function toBody({ name, unit, decimals }: z.infer<typeof schema>): WeightKindBody {
  return { name: name.trim(), unit: unit.trim() || null, decimals: numberOf(decimals, decimalsRule) };
}

interface WeightKindFormProps {
  /** Null for a new kind. */
  kind: WeightKind | null;
  onDone: () => void;
}

/** The form of a new kind of weight, or of a stored one. */
export function WeightKindForm({ kind, onDone }: WeightKindFormProps) {
  const saveWeightKind = useSaveWeightKind(kind?.id ?? null);
  const { form, panel } = useMutationForm({
    initialValues: {
      name: kind?.name ?? '',
      unit: kind?.unit ?? '',
      decimals: String(kind?.decimals ?? 0),
    },
    schema,
    mutation: saveWeightKind,
    toBody,
    failure: kind ? 'Failed to update kind of weight' : 'Failed to create kind of weight',
    onSuccess: () => {
      toast.success(kind ? 'Kind of weight updated' : 'Kind of weight created');
      onDone();
    },
  });
  return (
    <PanelForm
      {...panel}
      submitLabel={kind ? 'Update Kind of Weight' : 'Create Kind of Weight'}
      busyLabel={kind ? 'Updating...' : 'Creating...'}
    >
      <TextInput
        label="Name"
        required
        autoComplete="off"
        data-autofocus
        description={
          kind
            ? 'Results of earlier votes keep the old name.'
            : 'Shares, thousandths, floor area, inhabitants. Results show this name in place of “weight”.'
        }
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Unit (optional)"
        autoComplete="off"
        description="Stands after each number, such as m² or EUR."
        {...form.getInputProps('unit')}
      />
      <NumberField
        label="Decimals"
        required
        description={
          kind
            ? 'The most decimals of a value, up to 6. You can increase this, but not reduce it.'
            : 'The most decimals of a value, from 0 to 6. You can increase this later, but not reduce it.'
        }
        rule={decimalsRule}
        {...form.getInputProps('decimals')}
      />
    </PanelForm>
  );
}
