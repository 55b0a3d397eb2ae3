import type { Role, User } from '../api/types';
import { paths } from '../shared/paths';

/** The home screen of each role. */
export const homeOf: Record<Role, string> = {
  SUPER_ADMIN: paths.admin,
  CLIENT: paths.client,
  END_USER: paths.voting,
};

/** The target of "/". */
export function startFor(user: User | null): string {
  return user ? homeOf[user.role] : paths.admin;
}

/** The sign-in screens for people without a session, by the first matching start of the path. */
export const signInPaths: { startsWith: string; signIn: string }[] = [
  { startsWith: '/voting', signIn: paths.participant },
  { startsWith: '/participant', signIn: paths.participant },
  { startsWith: '/vote', signIn: paths.participant },
  { startsWith: '/client', signIn: paths.clientLogin },
  { startsWith: '/', signIn: paths.adminLogin },
];

/** The target of an unknown address: the home screen, or the sign-in of the portal whose prefix the address has. */
export function redirectForUnknownPath(pathname: string, user: User | null): string {
  return user ? homeOf[user.role] : signInFor(pathname);
}

export function signInFor(pathname: string): string {
  return signInPaths.find(({ startsWith }) => pathname.startsWith(startsWith))?.signIn ?? paths.adminLogin;
}

/** Addresses that only redirect. */
export const redirects: { from: string; to: string }[] = [
  { from: '/login', to: paths.adminLogin },
  { from: '/clients', to: paths.adminClients },
  // An invitation's address without its token: the voters' sign-in.
  { from: '/vote', to: paths.participant },
];
