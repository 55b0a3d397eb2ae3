import type { User } from '../api/types';

/** The state of a sign-in page's address: the page that was open when the session ended. */
export interface ReturnTo {
  /** Path and query. */
  returnTo: string;
  /** The owner of the session; omitted if no one was signed in yet. */
  userId?: string;
  /** The code of a voter's client, so that the voter need not type it again. */
  clientCode?: string;
}

export function returnToOf(state: unknown): ReturnTo | null {
  const { returnTo } = (state ?? {}) as Partial<ReturnTo>;
  return typeof returnTo === 'string' && returnTo.startsWith('/') ? (state as ReturnTo) : null;
}

/**
 * The target after a sign-in: the previous page, if it belonged to this person and is allowed; otherwise the home
 * screen.
 */
export function pathAfterSignIn(state: unknown, user: Pick<User, 'id'>, home: string): string {
  const back = returnToOf(state);
  const isTheirs = back !== null && (back.userId === undefined || back.userId === user.id);
  return isTheirs && isWithin(back.returnTo, home) ? back.returnTo : home;
}

function isWithin(path: string, home: string): boolean {
  return path.startsWith(home) && /^($|[/?#])/.test(path.slice(home.length));
}
