import { toCsv } from '../csv';

/** Headings only: an example row would be imported as a voter sooner or later. */
export const TEMPLATE = {
  name: 'end-users-template.csv',
  text: toCsv([['Name', 'Username', 'Email', 'Address', 'Weight', 'Active', 'Password']]),
};
