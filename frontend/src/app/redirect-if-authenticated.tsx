import { useState } from 'react';
import { Navigate, Outlet, useLocation, useParams } from 'react-router';
import type { Role, User } from '../api/types';
import { useUser } from '../api/use-session';
import { pathAfterSignIn, returnToOf } from '../shared/return-to';
import { homeOf } from './access';

interface RedirectIfAuthenticatedProps {
  for: Role;
  /** Only for people who were redirected here when their session ended. */
  onlyBack?: boolean;
}

/**
 * Redirects a signed-in visitor of a sign-in page, to the previous page or the home screen of the role. This happens
 * only on arrival: after a sign-in on the page, the page itself navigates (a voter may have a pending meeting). A
 * sign-in in another tab counts as an arrival. A voter of one organization may sign in to another one, because an
 * invitation links here for that.
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
