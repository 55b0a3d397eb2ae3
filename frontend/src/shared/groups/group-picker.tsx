import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import classes from './group-picker.module.css';
import { groupQueries } from './queries';

interface GroupPickerProps {
  label: string;
  description: string;
  /** The ids of the chosen groups. */
  value?: string[] | undefined;
  error?: ReactNode;
  onChange: (ids: string[]) => void;
}

/** A choice of groups. An organization without groups does not see it. */
export function GroupPicker({ label, description, value, error, onChange }: GroupPickerProps) {
  const groups = useQuery(groupQueries.list());
  const known = groups.data ?? [];
  return known.length === 0 ? null : (
    <Checkbox.Group
      label={label}
      description={description}
      error={error}
      value={value ?? []}
      onChange={onChange}
    >
      <div className={classes.list}>
        {known.map(({ id, name }) => (
          <Checkbox key={id} value={id} label={name} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
