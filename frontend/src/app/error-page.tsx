import { ErrorState } from '../shared/ui/error-state';

/** A screen failed to load or to draw; the rest of the meeting is not touched by that. */
export function ErrorPage() {
  return (
    <ErrorState
      title="This page could not be shown"
      hint="Nothing that you sent is lost. Load the page again; if that does not help, tell your administrator."
      onRetry={() => window.location.reload()}
    />
  );
}
