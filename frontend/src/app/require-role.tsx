import { Navigate, Outlet, useLocation } from 'react-router';
import type { Role } from '../api/types';
import { useUser } from '../api/use-session';
import { homeOf, signInFor } from './access';

/** Lets one role through; everyone else goes to the sign-in of this part, or home. */
export function RequireRole({ only }: { only: Role }) {
  const user = useUser();
  const { pathname } = useLocation();
  if (!user) {
    return <Navigate to={signInFor(pathname)} replace />;
  }
  return user.role === only ? <Outlet /> : <Navigate to={homeOf[user.role]} replace />;
}
