import { useState } from 'react';
import { Navigate, Outlet, useLocation, useParams } from 'react-router';
import type { Role, User } from '../api/types';
import { useUser } from '../api/use-session';
import { pathAfterSignIn, returnToOf } from '../shared/return-to';
import { homeOf } from './access';

interface RedirectIfAuthenticatedProps {
  for: Role;
  /** Only for those who were led here when their session ended. */
  onlyBack?: boolean;
}

/**
 * Sends home, or back to where they were, who comes to a sign-in page with a session of its role. Decided on arrival
 * only: after a sign-in on the page, the page itself knows where to go (a voter may have a pending meeting). A sign-in
 * in another tab counts as an arrival. A voter of one organization may sign in to another one: an invitation sends
 * them here for that.
 */
export function RedirectIfAuthenticated({ for: role, onlyBack = false }: RedirectIfAuthenticatedProps) {
  const user = useUser();
  const { clientCode } = useParams();
  const { state } = useLocation();
  const [target] = useState(() => targetOf(user));

  function targetOf(arrived: User | null): string | null {
    const wasLedHere = returnToOf(state) !== null;
    if (arrived === null || (onlyBack && !wasLedHere)) {
      return null;
    }
    if (arrived.role !== role) {
      return wasLedHere ? homeOf[arrived.role] : null;
    }
    const isTheirs = clientCode === undefined || clientCode.toLowerCase() === arrived.clientCode;
    return isTheirs ? pathAfterSignIn(state, arrived, homeOf[role]) : null;
  }

  return target === null ? <Outlet /> : <Navigate to={target} replace />;
}
