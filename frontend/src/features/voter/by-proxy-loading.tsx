import { useEffect } from 'react';
import { keyOf, openQuestion } from './open-question';
import type { ByProxyProps } from './proxies/by-proxy';
import { useLongestWait } from './use-longest-wait';

/** Shown while the screen of a meeting with proxies is loaded. */
export function ByProxyLoading({ live, canVote, ownShownIn, onOwnShown, children }: ByProxyProps) {
  const round = keyOf(openQuestion(live.state));
  const isWaiting = canVote && ownShownIn !== round;
  useLongestWait(isWaiting ? round : null, onOwnShown);
  return (
    <>
      {isWaiting ? null : children}
      {round === null ? null : <p>Loading the votes you hold…</p>}
    </>
  );
}

/** Shown if the screen of a meeting with proxies cannot be loaded. */
export function ByProxyFailed({ live, canVote, onOwnShown, children }: ByProxyProps) {
  const round = keyOf(openQuestion(live.state));
  const shownIn = canVote ? round : null;
  useEffect(() => {
    if (shownIn !== null) {
      onOwnShown(shownIn);
    }
  }, [shownIn, onOwnShown]);
  return (
    <>
      {children}
      {round === null ? null : (
        <p role="status">Votes that others gave you cannot be shown now. To try again, reload this page.</p>
      )}
    </>
  );
}
