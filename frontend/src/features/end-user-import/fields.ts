import type { ImportField } from '../../api/types';

interface FieldText {
  field: ImportField;
  label: string;
  /** The allowed content of its column, and the effect of a missing column. */
  hint: string;
}

/** The fields for the columns of a file, in the order of the screens. */
export const IMPORT_FIELDS: FieldText[] = [
  {
    field: 'name',
    label: 'Name',
    hint: 'The full name. It may stand in two columns instead, First name and Last name.',
  },
  { field: 'firstName', label: 'First name', hint: 'Together with Last name, in place of Name.' },
  { field: 'lastName', label: 'Last name', hint: 'Together with First name, in place of Name.' },
  {
    field: 'username',
    label: 'Username',
    hint: 'Says who it is. Without it, name and email address do, and a new person gets one made of the name.',
  },
  { field: 'email', label: 'Email', hint: 'Optional.' },
  { field: 'address', label: 'Address', hint: 'Optional.' },
  {
    field: 'weight',
    label: 'Weight',
    hint: 'The voting weight, 0 to 100, with a comma or a dot before the decimals. A new person without one gets 1.',
  },
  {
    field: 'groups',
    label: 'Groups',
    hint: 'Names of groups, separated by semicolons. They replace the groups of a person; groups that are not there are created.',
  },
  {
    field: 'isActive',
    label: 'Active',
    hint: 'Yes or no, ja or nein, active or inactive, 1 or 0. A new person without it is active.',
  },
  {
    field: 'password',
    label: 'Password',
    hint: 'Minimum 8 characters, in 500 rows at most. A new person without one gets a random password.',
  },
];

const LABELS = Object.fromEntries(IMPORT_FIELDS.map(({ field, label }) => [field, label]));

export function labelOf(field: ImportField): string {
  return LABELS[field] ?? field;
}
