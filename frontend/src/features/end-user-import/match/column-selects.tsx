import { NativeSelect } from '@mantine/core';
import type { ImportTable } from '../../../api/types';
import { useWeightKinds } from '../../../shared/weights/use-weight-kinds';
import { importFields } from '../fields';
import classes from './column-selects.module.css';
import { columnNames, type Mapping, withColumn } from './mapping';

interface ColumnSelectsProps {
  table: ImportTable;
  mapping: Mapping;
  isDisabled: boolean;
  onMapping: (mapping: Mapping) => void;
}

/** The choice of the file's column for each field. */
export function ColumnSelects({ table, mapping, isDisabled, onMapping }: ColumnSelectsProps) {
  const fields = importFields(useWeightKinds());
  const columns = columnNames(table).map((label, index) => ({ value: String(index), label }));
  return (
    <div className={classes.grid}>
      {fields.map(({ field, label }) => (
        <NativeSelect
          key={field}
          label={label}
          value={String(mapping[field] ?? '')}
          data={[{ value: '', label: 'Not in the file' }, ...columns]}
          disabled={isDisabled}
          onChange={(event) => {
            const { value } = event.currentTarget;
            onMapping(withColumn(mapping, field, value === '' ? undefined : Number(value)));
          }}
        />
      ))}
    </div>
  );
}
