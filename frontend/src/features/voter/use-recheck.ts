import { useCallback, useEffect, useEffectEvent, useRef } from 'react';

interface Pause {
  soonestMs: number;
  /** The random part of the delay, so that a hall of phones does not request at the same moment. */
  spreadMs: number;
}

/** The delay after new votes: one of them may be this voter's own, from another device. */
export const AFTER_VOTES: Pause = { soonestMs: 3_000, spreadMs: 6_000 };
/** The delay if the voter waits for the new data. */
export const SOON: Pause = { soonestMs: 0, spreadMs: 2_000 };

/** Fetches after a delay. Repeated calls during the delay have no further effect. */
export function useRecheck(look: () => unknown, { soonestMs, spreadMs }: Pause): () => void {
  const timer = useRef<number | undefined>(undefined);
  const handleTime = useEffectEvent(() => {
    timer.current = undefined;
    look();
  });

  useEffect(() => () => window.clearTimeout(timer.current), []);

  return useCallback(() => {
    timer.current ??= window.setTimeout(handleTime, soonestMs + Math.random() * spreadMs);
  }, [soonestMs, spreadMs]);
}
