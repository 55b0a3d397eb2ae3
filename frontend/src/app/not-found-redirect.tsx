import { Navigate, useLocation } from 'react-router';
import { useUser } from '../api/use-session';
import { redirectForUnknownPath } from './access';

/** Leads an address without a screen to the person's home screen or sign-in. */
export function NotFoundRedirect() {
  return <Navigate to={redirectForUnknownPath(useLocation().pathname, useUser())} replace />;
}
