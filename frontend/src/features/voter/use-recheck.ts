import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import type { LiveState } from '../../shared/live/live-events';

interface Pause {
  soonestMs: number;
  /** The random part of the delay, so that a hall of phones does not request at the same moment. */
  spreadMs: number;
}

export type Hall = Pick<LiveState, 'participantCount' | 'checkIn'>;

/** The most phones that may be connected. In a meeting with check-in, the participants are those who are checked in. */
function phonesIn({ participantCount, checkIn }: Hall): number {
  return Math.max(participantCount, checkIn?.eligible ?? 0);
}

/**
 * The delay after a step of the organizer, which all connected phones see at the same moment: two milliseconds for each of
 * them, which is about what a request costs the server. Otherwise thousands would arrive just when everybody wants to vote.
 */
export function afterStep(hall: Hall): Pause {
  return { soonestMs: 0, spreadMs: Math.min(2 * phonesIn(hall), 20_000) };
}

/**
 * The delay after new votes: one of them may be this voter's own, from another device. Phones without a vote ask again and
 * again while others vote, so many of them wait longer. It is also the delay after changes without hurry.
 */
export function afterVotes(hall: Hall): Pause {
  return { soonestMs: 3_000, spreadMs: Math.max(10 * phonesIn(hall), 6_000) };
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
