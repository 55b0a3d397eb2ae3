import { useEffect } from 'react';
import { Outlet } from 'react-router';
import { session } from '../api/session';
import { useSession } from '../api/use-session';
import { ErrorState } from '../shared/ui/error-state';
import { LoadingScreen } from '../shared/ui/loading-screen';

/** Below it, it is known who is signed in, or that nobody is. */
export function SessionGate() {
  const { status } = useSession();

  useEffect(() => {
    if (status === 'resolving') {
      void session.resolve();
    }
  }, [status]);

  if (status === 'resolving') {
    return <LoadingScreen />;
  }
  if (status === 'unreachable') {
    return (
      <ErrorState
        title="Plenum cannot be reached"
        hint="You are still signed in. Check your connection and try again."
        onRetry={() => void session.resolve()}
      />
    );
  }
  return <Outlet />;
}
