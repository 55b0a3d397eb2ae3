import type { MadeJoinLink } from '../../api/types';
import { toCsv } from '../csv';
import { paths, publicUrl } from '../paths';
import { checkInCode } from './check-in-code';

const HEADINGS = ['Organization', 'Name', 'Username', 'Email', 'Personal Link'];

interface JoinLinksSheet {
  organization: string;
  links: MadeJoinLink[];
  /** With a column for the codes that desks scan. */
  hasCheckIn: boolean;
}

/** Personal links, one per row, as a file for letters and for a mail program. */
export function joinLinksSheet(
  { organization, links, hasCheckIn }: JoinLinksSheet,
  now: Date,
): { name: string; text: string } {
  const rows = links.map(({ endUserId, name, username, email, token }) => [
    organization,
    name,
    username,
    email ?? '',
    publicUrl(paths.join(token)),
    ...(hasCheckIn ? [checkInCode(endUserId)] : []),
  ]);
  const headings = hasCheckIn ? [...HEADINGS, 'Check-in Code'] : HEADINGS;
  return {
    name: `personal-links-${now.toISOString().slice(0, 10)}.csv`,
    text: toCsv([headings, ...rows]),
  };
}
