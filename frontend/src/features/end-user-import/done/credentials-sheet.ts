import type { Credentials } from '../../../api/types';
import { isFormula, toCsv } from '../../../shared/csv';
import { paths, publicUrl } from '../../../shared/paths';

const HEADINGS = ['Organization', 'Organization Code', 'Name', 'Username', 'Password', 'Email', 'Sign In At'];

/** The address at which the voters of an organization sign in. */
export function signInAddress(clientCode: string): string {
  return publicUrl(paths.participantLogin(clientCode));
}

/** The credentials of many end users, one per row, as a file for letters. */
export function credentialsSheet(credentials: Credentials[], now: Date): { name: string; text: string } {
  const rows = credentials.map(({ organization, clientCode, name, username, password, email }) => [
    organization,
    clientCode,
    name,
    username,
    password,
    email ?? '',
    signInAddress(clientCode),
  ]);
  const day = now.toISOString().slice(0, 10);
  return {
    name: `${credentials[0]?.clientCode ?? 'end-users'}-credentials-${day}.csv`,
    text: toCsv([HEADINGS, ...rows]),
  };
}

/** The number of passwords with an apostrophe in that file that is not part of the password. */
export function countGuardedPasswords(credentials: Credentials[]): number {
  return credentials.filter(({ password }) => isFormula(password)).length;
}
