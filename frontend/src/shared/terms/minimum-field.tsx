import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { FieldRow } from '../ui/field-row';
import { NumberField } from '../ui/number-field';
import { type MinimumFields, minimumRule, type QuorumFields } from './quorum-form';
import { ShareField } from './share-field';

interface MinimumFieldProps {
  legend: string;
  /** For the unit of the number. */
  quorum: Pick<QuorumFields, 'unit'>;
  minimum: MinimumFields;
  /** Messages by field. */
  errors: Record<string, ReactNode>;
  onChange: (changes: Partial<MinimumFields>) => void;
}

/** The part of the register that a quorum needs: a share, or a number. */
export function MinimumField({ legend, quorum, minimum, errors, onChange }: MinimumFieldProps) {
  const kind = (
    <NativeSelect
      label="Needed"
      data={[
        { value: 'share', label: 'A share' },
        { value: 'number', label: quorum.unit === 'heads' ? 'A number of people' : 'An amount' },
      ]}
      value={minimum.isNumber ? 'number' : 'share'}
      onChange={(event) => onChange({ isNumber: event.currentTarget.value === 'number' })}
    />
  );
  if (!minimum.isNumber) {
    return (
      <ShareField legend={legend} share={minimum} errors={errors} onChange={onChange}>
        {kind}
      </ShareField>
    );
  }
  return (
    <FieldRow legend={legend}>
      <NumberField
        label={quorum.unit === 'heads' ? 'Number of people' : 'Amount'}
        rule={minimumRule(quorum.unit)}
        value={minimum.minimum}
        error={errors.minimum}
        onChange={(text) => onChange({ minimum: text })}
      />
      {kind}
    </FieldRow>
  );
}
