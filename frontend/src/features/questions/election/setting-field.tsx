import { NativeSelect, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { NumberField } from '../../../shared/ui/number-field';
import type { Setting } from './settings';

interface SettingFieldProps {
  setting: Setting;
  /** As typed or chosen. */
  value: string;
  error: ReactNode;
  onChange: (value: string) => void;
}

/** The field of one setting: a choice, a switch, a number or a text. */
export function SettingField({ setting, value, error, onChange }: SettingFieldProps) {
  const { kind, label, description } = setting;
  switch (kind.type) {
    case 'choice':
      return (
        <NativeSelect
          label={label}
          description={description}
          data={kind.options}
          value={value}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'flag':
      return (
        <Switch
          label={label}
          checked={value === 'true'}
          error={error}
          onChange={(event) => onChange(String(event.currentTarget.checked))}
        />
      );
    case 'number':
      return (
        <NumberField
          label={label}
          description={description}
          placeholder={kind.placeholder}
          rule={kind.rule}
          value={value}
          error={error}
          onChange={onChange}
        />
      );
    case 'text':
      return (
        <TextInput
          label={label}
          description={description}
          placeholder={kind.placeholder}
          value={value}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}
