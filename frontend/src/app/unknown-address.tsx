import { Navigate, useLocation } from 'react-router';
import { useUser } from '../api/use-session';
import { elsewhereFor } from './access';

/** An address without a screen. */
export function Elsewhere() {
  return <Navigate to={elsewhereFor(useLocation().pathname, useUser())} replace />;
}
