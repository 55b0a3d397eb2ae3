import { useEffect, useState } from 'react';
import { Outlet } from 'react-router';
import { session } from '../api/session';
import { useSession } from '../api/use-session';
import { ErrorState } from '../shared/ui/error-state';
import { LoadingScreen } from '../shared/ui/loading-screen';
import { useHasUnsavedWork } from '../shared/unsaved-work';

const RETRY_MS = 10_000;

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

/** Retries by itself: at once when the network returns, and at intervals while the server is unreachable. */
function Unreachable() {
  const [isTrying, setIsTrying] = useState(false);

  async function handleRetry() {
    setIsTrying(true);
    await session.resolve();
    setIsTrying(false);
  }

  useEffect(() => {
    const retry = () => void session.resolve();
    const timer = window.setInterval(retry, RETRY_MS);
    window.addEventListener('online', retry);
    return () => {
      window.clearInterval(timer);
      window.removeEventListener('online', retry);
    };
  }, []);

  return (
    <ErrorState
      title="Plenum cannot be reached"
      hint="You are still signed in. This page tries again by itself."
      isRetrying={isTrying}
      onRetry={() => void handleRetry()}
    />
  );
}
