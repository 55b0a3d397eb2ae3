import { VisuallyHidden } from '@mantine/core';
import { type ComponentType, useEffect, useState } from 'react';
import { session } from '../api/session';
import { useIsOnline } from '../shared/offline';
import { ErrorState } from '../shared/ui/error-state';

const RETRY_MS = 10_000;

/**
 * The page while the owner of the tokens cannot be checked. Retries by itself: at once when the network returns, and at
 * intervals while the server is unreachable.
 */
export function Unreachable() {
  const [isTrying, setIsTrying] = useState(false);
  const isOnline = useIsOnline();
  const [Ballots, setBallots] = useState<ComponentType>();

  async function handleRetry() {
    setIsTrying(true);
    await session.resolve();
    setIsTrying(false);
  }

  useEffect(() => {
    // Not a part of everybody's first load: the service worker keeps it for pages without a network.
    import('./kept-ballots').then(
      (loaded) => setBallots(() => loaded.KeptBallots),
      () => undefined,
    );
    const retry = () => void session.resolve();
    const timer = window.setInterval(retry, RETRY_MS);
    window.addEventListener('online', retry);
    return () => {
      window.clearInterval(timer);
      window.removeEventListener('online', retry);
    };
  }, []);

  return (
    <main>
      <VisuallyHidden component="h1">Plenum</VisuallyHidden>
      <ErrorState
        title={isOnline ? 'Plenum cannot be reached' : 'You are offline'}
        hint={
          isOnline
            ? 'You are still signed in. This page tries again by itself.'
            : 'You are still signed in. This page continues by itself when the connection is back.'
        }
        isRetrying={isTrying}
        onRetry={() => void handleRetry()}
      />
      {Ballots ? <Ballots /> : null}
    </main>
  );
}
