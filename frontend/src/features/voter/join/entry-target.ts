import { basePath, publicOrigin } from '../../../api/base-path';
import { paths } from '../../../shared/paths';

/** The target of a typed, pasted or scanned text: a path of this app, or the reason why there is none. */
export type EntryTarget = { path: string } | { refusal: string };

/** A link contains a slash, which no code does. */
export function isLink(text: string): boolean {
  return text.includes('/');
}

/** Reads a code, or a link of this installation, such as an invitation. */
export function entryTarget(typed: string): EntryTarget {
  const text = typed.trim();
  if (text === '') {
    return { refusal: 'Please enter your organization code' };
  }
  return isLink(text) ? linkTarget(text) : { path: paths.participantLogin(text.toLowerCase()) };
}

function linkTarget(text: string): EntryTarget {
  const url = urlOf(text);
  const hosts = [window.location.origin, publicOrigin].map((origin) => new URL(origin).host);
  if (!url || !hosts.includes(url.host) || !`${url.pathname}/`.startsWith(`${basePath}/`)) {
    return { refusal: 'This link leads to another website.' };
  }
  const path = url.pathname.slice(basePath.length);
  // The front page would lead elsewhere, and this page nowhere.
  return path === '' || path === '/' || path === paths.participant
    ? { refusal: 'This link names no organization.' }
    : { path: `${path}${url.search}${url.hash}` };
}

/** Also without "https://", as it stands on slips and on the presentation. */
function urlOf(text: string): URL | null {
  const absolute = /^(https?:)?\/\//i.test(text) || text.startsWith('/') ? text : `//${text}`;
  try {
    return new URL(absolute, window.location.origin);
  } catch {
    return null;
  }
}
