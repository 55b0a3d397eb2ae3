import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { FieldRow } from '../ui/field-row';
import { NumberField } from '../ui/number-field';
import {
  type Comparison,
  denominatorRule,
  numeratorRule,
  type ShareFields,
  usualFractions,
} from './share-form';

interface ShareFieldProps {
  legend: string;
  share: ShareFields;
  /** Messages by field. */
  errors: Record<string, ReactNode>;
  onChange: (change: Partial<ShareFields>) => void;
  /** Further fields, such as the base of the share. */
  children?: ReactNode;
}

/** "More than" or "at least" a fraction: a common one, or two other numbers. */
export function ShareField({ legend, share, errors, onChange, children }: ShareFieldProps) {
  return (
    <FieldRow legend={legend}>
      <NativeSelect
        label="Comparison"
        data={[
          { value: 'more_than', label: 'More than' },
          { value: 'at_least', label: 'At least' },
        ]}
        value={share.comparison}
        error={errors.comparison}
        onChange={(event) => onChange({ comparison: event.currentTarget.value as Comparison })}
      />
      <NativeSelect
        label="Fraction"
        data={[...usualFractions, { value: 'own', label: 'Custom fraction' }]}
        value={share.fraction}
        onChange={(event) => onChange({ fraction: event.currentTarget.value })}
      />
      {share.fraction === 'own' ? (
        <>
          <NumberField
            label="Numerator"
            description="Above the line"
            rule={numeratorRule(share)}
            value={share.numerator}
            error={errors.numerator}
            onChange={(numerator) => onChange({ numerator })}
          />
          <NumberField
            label="Denominator"
            description="Below the line"
            rule={denominatorRule}
            value={share.denominator}
            error={errors.denominator}
            onChange={(denominator) => onChange({ denominator })}
          />
        </>
      ) : null}
      {children}
    </FieldRow>
  );
}
