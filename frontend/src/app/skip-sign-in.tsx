import { useState } from 'react';
import { Navigate, Outlet, useParams } from 'react-router';
import type { Role } from '../api/types';
import { useUser } from '../api/use-session';
import { homeOf } from './access';

/**
 * Sends home who comes to a sign-in page with a session of its role. Decided on arrival only: after a sign-in on
 * the page, the page itself knows where to go (a voter may have a pending meeting). A voter of one organization
 * may sign in to another one: an invitation sends them here for that.
 */
export function SkipSignIn({ for: role }: { for: Role }) {
  const user = useUser();
  const { clientCode } = useParams();
  const [isAtHome] = useState(
    () => user?.role === role && (clientCode === undefined || clientCode.toLowerCase() === user.clientCode),
  );
  return isAtHome ? <Navigate to={homeOf[role]} replace /> : <Outlet />;
}
