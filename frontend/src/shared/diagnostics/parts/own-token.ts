import { session } from '../../../api/session';
import type { Caller } from '../run/caller';
import { Unexpected } from '../run/unexpected';

/** The bearer token of a caller. */
export async function tokenOf({ identity }: Caller): Promise<string> {
  if (identity === null) {
    throw new Unexpected('You are not signed in, so there is no token');
  }
  return identity === 'own' ? session.accessToken() : identity.token;
}
