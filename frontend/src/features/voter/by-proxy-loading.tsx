import { keyOf, openQuestion } from './open-question';
import type { ByProxyProps } from './proxies/by-proxy';
import { useOwnShown } from './use-own-shown';

/** Shown while the screen of a meeting with proxies is loaded. The own ballot does not wait, and is not replaced later. */
export function ByProxyLoading({ live, canVote, isSendingOwn, onOwnShown, children }: ByProxyProps) {
  const round = keyOf(openQuestion(live.state));
  useOwnShown(canVote && !isSendingOwn ? round : null, onOwnShown);
  return (
    <>
      {children}
      {round === null || isSendingOwn ? null : (
        <p>Loading the votes you hold… If this takes long, reload the page.</p>
      )}
    </>
  );
}
