import type { WeightKind } from '../../../api/types';
import { toCsv } from '../../../shared/csv';

/** Headings only: an example row would sooner or later be imported as a voter. */
export function templateFile(kinds: WeightKind[]): { name: string; text: string } {
  const ofKinds = kinds.map(({ name }) => name);
  return {
    name: 'end-users-template.csv',
    text: toCsv([
      ['Name', 'Username', 'Email', 'Address', 'Weight', ...ofKinds, 'Groups', 'Active', 'Password'],
    ]),
  };
}
