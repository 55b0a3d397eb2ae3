import type { Credentials } from '../../../api/types';
import { paths, publicUrl } from '../../../shared/paths';
import { isFormula, toCsv } from '../csv';

const HEADINGS = ['Organization', 'Organization Code', 'Name', 'Username', 'Password', 'Email', 'Sign In At'];

/** Where the voters of an organization sign in. */
export function signInAddress(clientCode: string): string {
  return publicUrl(paths.participantLogin(clientCode));
}

/** The sign-ins of many, one a row, as a file to send letters with. */
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

/** How many passwords have an apostrophe in that file which is not part of them. */
export function countGuardedPasswords(credentials: Credentials[]): number {
  return credentials.filter(({ password }) => isFormula(password)).length;
}
