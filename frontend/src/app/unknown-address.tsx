import { Navigate, useLocation } from 'react-router';
import { useUser } from '../api/use-session';
import { elsewhereFor } from './access';

/** An address that is no screen. */
export function Elsewhere() {
  return <Navigate to={elsewhereFor(useLocation().pathname, useUser())} replace />;
}
