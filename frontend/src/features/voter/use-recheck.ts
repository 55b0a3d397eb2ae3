import { useCallback, useEffect, useEffectEvent, useRef } from 'react';

interface Pause {
  soonestMs: number;
  /** A hall full of phones that all hear of the same thing must not all ask in the same instant. */
  spreadMs: number;
}

/** One of the votes that come in may be this voter's own, from another device. */
export const AFTER_VOTES: Pause = { soonestMs: 3_000, spreadMs: 6_000 };
/** Somebody waits for what is new. */
export const SOON: Pause = { soonestMs: 0, spreadMs: 2_000 };

/** Looks again a little later, once however often it is called meanwhile. */
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
