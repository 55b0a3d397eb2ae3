import { useEffect } from 'react';

/** Notes the round in which the own ballot is on the screen, so that no other ballot replaces it. */
export function useOwnShown(shownIn: string | null, onOwnShown: (round: string) => void) {
  useEffect(() => {
    if (shownIn !== null) {
      onOwnShown(shownIn);
    }
  }, [shownIn, onOwnShown]);
}
