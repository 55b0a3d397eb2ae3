import type { Credentials } from '../../api/types';
import { formatDate } from '../../shared/format';

/** The credentials of an end user as a text file to hand over. The password is shown only once. */
export function credentialsFile(credentials: Credentials, now: Date): { name: string; text: string } {
  const lines = [
    `Organization: ${credentials.organization}`,
    `Organization code: ${credentials.clientCode}`,
    `Name: ${credentials.name}`,
    `Username: ${credentials.username}`,
    `Password: ${credentials.password}`,
    ...(credentials.email ? [`Email: ${credentials.email}`] : []),
    '',
    credentials.loginInstructions,
    '',
    `Date: ${formatDate(now.toISOString())}`,
    '',
  ];
  return { name: `${credentials.username}.txt`, text: lines.join('\n') };
}
