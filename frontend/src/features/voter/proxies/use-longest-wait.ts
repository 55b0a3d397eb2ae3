import { useEffect } from 'react';

const LONGEST_WAIT_MS = 3_000;

/**
 * Ends the wait of the own ballot for the votes that the voter may hold. The ballot of a holder must not replace it under
 * the finger, but over a bad network the own vote does not wait for others.
 */
export function useLongestWait(waitingIn: string | null, onOver: (round: string) => void) {
  useEffect(() => {
    const timer = waitingIn === null ? 0 : window.setTimeout(() => onOver(waitingIn), LONGEST_WAIT_MS);
    return () => window.clearTimeout(timer);
  }, [waitingIn, onOver]);
}
