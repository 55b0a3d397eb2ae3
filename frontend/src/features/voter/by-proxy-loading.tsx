import { useEffect } from 'react';
import { keyOf, openQuestion } from './open-question';
import type { ByProxyProps } from './proxies/by-proxy';

/** Shown while the screen of a meeting with proxies is loaded. The own ballot does not wait, and is not replaced later. */
export function ByProxyLoading({ live, canVote, onOwnShown, children }: ByProxyProps) {
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
      {round === null ? null : <p>Loading the votes you hold… If this takes long, reload the page.</p>}
    </>
  );
}
