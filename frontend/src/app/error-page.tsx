import { useEffect, useState } from 'react';
import { lastReferenceOfPage } from '../api/api-error';
import { ErrorState } from '../shared/ui/error-state';

/** Shown if a screen failed to load or to render. The meeting itself is not affected. */
export function ErrorPage() {
  const [wasOffline] = useState(() => !navigator.onLine);

  useEffect(() => {
    if (!wasOffline) {
      return;
    }
    // A screen is fetched on its first visit, and this one could not be.
    const handleOnline = () => window.location.reload();
    window.addEventListener('online', handleOnline);
    return () => window.removeEventListener('online', handleOnline);
  }, [wasOffline]);

  return wasOffline ? (
    <ErrorState
      title="You are offline"
      hint="This page comes as soon as the connection is back. Nothing that you sent is lost."
      onRetry={() => window.location.reload()}
    />
  ) : (
    <ErrorState
      title="This page could not be shown"
      hint="Nothing that you sent is lost. Load the page again; if that does not help, tell your administrator."
      reference={lastReferenceOfPage()}
      onRetry={() => window.location.reload()}
    />
  );
}
