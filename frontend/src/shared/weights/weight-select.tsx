import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWeightKinds } from './use-weight-kinds';

interface WeightSelectProps {
  label: string;
  description: string;
  /** The choice of no kind. */
  none: string;
  /** The id of the chosen kind. */
  value?: string | null | undefined;
  error?: ReactNode;
  onChange: (kindId: string | null) => void;
}

/** A choice of a kind of weight. An organization without kinds does not see it. */
export function WeightSelect({ label, description, none, value = null, error, onChange }: WeightSelectProps) {
  const kinds = useWeightKinds();
  const isKnown = value === null || kinds.some(({ id }) => id === value);
  return kinds.length === 0 && value === null ? null : (
    <NativeSelect
      label={label}
      description={description}
      data={[
        { value: '', label: none },
        ...kinds.map(({ id, name }) => ({ value: id, label: name })),
        // The list is loading, or somebody has changed it since.
        ...(isKnown ? [] : [{ value, label: 'Unknown kind of weight' }]),
      ]}
      value={value ?? ''}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
    />
  );
}
