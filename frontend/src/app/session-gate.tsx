import { useEffect } from 'react';
import { Outlet } from 'react-router';
import { session } from '../api/session';
import { useSession } from '../api/use-session';
import { LoadingScreen } from '../shared/ui/loading-screen';
import { useHasUnsavedWork } from '../shared/unsaved-work';
import { Unreachable } from './unreachable';

/** Below it, the session state is known. */
export function SessionGate() {
  const { status } = useSession();
  const hasUnsavedWork = useHasUnsavedWork();

  useEffect(() => {
    if (status === 'resolving') {
      void session.resolve();
    }
  }, [status]);

  if (hasUnsavedWork) {
    // The owner of the screen is being checked again; its input is kept meanwhile.
    return <Outlet />;
  }
  if (status === 'resolving') {
    return <LoadingScreen />;
  }
  return status === 'unreachable' ? <Unreachable /> : <Outlet />;
}
