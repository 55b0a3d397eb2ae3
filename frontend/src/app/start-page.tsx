import { Navigate } from 'react-router';
import { useUser } from '../api/use-session';
import { startFor } from './access';

export function StartPage() {
  return <Navigate to={startFor(useUser())} replace />;
}
