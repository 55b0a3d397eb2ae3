import type { MadeJoinLink } from '../../api/types';
import { toCsv } from '../csv';
import { paths, publicUrl } from '../paths';

const HEADINGS = ['Organization', 'Name', 'Username', 'Email', 'Personal Link'];

/** Personal links, one per row, as a file for letters and for a mail program. */
export function joinLinksSheet(
  organization: string,
  links: MadeJoinLink[],
  now: Date,
): { name: string; text: string } {
  const rows = links.map(({ name, username, email, token }) => [
    organization,
    name,
    username,
    email ?? '',
    publicUrl(paths.join(token)),
  ]);
  return {
    name: `personal-links-${now.toISOString().slice(0, 10)}.csv`,
    text: toCsv([HEADINGS, ...rows]),
  };
}
