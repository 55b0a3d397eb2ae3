import { toCsv } from '../../../shared/csv';

/** Headings only: an example row would sooner or later be imported as a voter. */
export const TEMPLATE = {
  name: 'end-users-template.csv',
  text: toCsv([['Name', 'Username', 'Email', 'Address', 'Weight', 'Groups', 'Active', 'Password']]),
};
