import type { ImportField, WeightKind } from '../../api/types';

/** What a column of the file can hold: a field, or the values of a kind of weight. */
export type ColumnField = Exclude<ImportField, 'weights'> | `weights:${string}`;

interface FieldText {
  field: ColumnField;
  label: string;
  /** The allowed content of its column, and the effect of a missing column. */
  hint: string;
}

const FIELDS: FieldText[] = [
  {
    field: 'name',
    label: 'Name',
    hint: 'The full name. It can be in two columns instead, First name and Last name.',
  },
  { field: 'firstName', label: 'First name', hint: 'Together with Last name, in place of Name.' },
  { field: 'lastName', label: 'Last name', hint: 'Together with First name, in place of Name.' },
  {
    field: 'username',
    label: 'Username',
    hint: 'Identifies the person. Without it, the name and email address do; a new person gets a username made from the name.',
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

const OF_WEIGHT = FIELDS.findIndex(({ field }) => field === 'weight');

/** The fields for the columns of a file, in the order of the screens. Kinds of weight stand after the ordinary weight. */
export function importFields(kinds: WeightKind[]): FieldText[] {
  const ofKinds = kinds.map((kind) => ({
    field: ofKind(kind.id),
    label: kind.name,
    hint: hintOf(kind),
  }));
  return [...FIELDS.slice(0, OF_WEIGHT + 1), ...ofKinds, ...FIELDS.slice(OF_WEIGHT + 1)];
}

function hintOf({ decimals }: WeightKind): string {
  if (decimals === 0) {
    return 'A whole number from 0.';
  }
  const most = decimals === 1 ? '1 decimal' : `${decimals} decimals`;
  return `A number from 0 with at most ${most}, after a comma or a dot.`;
}

export function ofKind(kindId: string): `weights:${string}` {
  return `weights:${kindId}`;
}

/** The id of the kind of weight; null for another field. */
export function kindIdOf(field: ColumnField): string | null {
  return field.startsWith('weights:') ? field.slice('weights:'.length) : null;
}

const LABELS: Record<string, string> = {
  ...Object.fromEntries(FIELDS.map(({ field, label }) => [field, label])),
  weights: 'Kinds of weight',
};

export function labelOf(field: ImportField | ColumnField): string {
  return LABELS[field] ?? field;
}
