import { useCallback, useEffect, useEffectEvent, useRef } from 'react';

interface Pause {
  soonestMs: number;
  /** The random part of the delay, so that a hall of phones does not request at the same moment. */
  spreadMs: number;
}

/**
 * The delay after a step of the organizer, which all connected phones see at the same moment: two milliseconds for each of
 * them, which is about what a request costs the server. Otherwise thousands would arrive just when everybody wants to vote.
 */
export function afterStep(phones: number): Pause {
  return { soonestMs: 0, spreadMs: Math.min(2 * phones, 20_000) };
}

/**
 * The delay after new votes: one of them may be this voter's own, from another device. Phones without a vote ask again and
 * again while others vote, so many of them wait longer. It is also the delay after changes without hurry.
 */
export function afterVotes(phones: number): Pause {
  return { soonestMs: 3_000, spreadMs: Math.max(10 * phones, 6_000) };
}

/** Fetches after a delay. Repeated calls during the delay have no further effect. */
export function useRecheck(look: () => unknown): (pause: Pause) => void {
  const timer = useRef<number | undefined>(undefined);
  const handleTime = useEffectEvent(() => {
    timer.current = undefined;
    look();
  });

  useEffect(() => () => window.clearTimeout(timer.current), []);

  return useCallback(({ soonestMs, spreadMs }) => {
    timer.current ??= window.setTimeout(handleTime, soonestMs + Math.random() * spreadMs);
  }, []);
}
