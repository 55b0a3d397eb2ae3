import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isReachable } from '../../../shared/live/live-connection';
import type { LiveState } from '../../../shared/live/live-events';
import type { Live } from '../../../shared/live/use-live-connection';
import { keyOf, openQuestion } from '../open-question';
import { afterStep, type Hall, useRecheck } from '../use-recheck';
import { proxyQueries } from './proxy-queries';

export type HeldVotes = ReturnType<typeof useHeldVotes>;
export type HeldVote = HeldVotes['votes'][number];

/** As long as the state is not known. */
const EMPTY: Hall = { participantCount: 0, checkIn: null };

/** The votes of others that the voter holds on the open question. */
export function useHeldVotes(
  meetingId: string,
  { state, status }: Pick<Live<LiveState>, 'state' | 'status'>,
) {
  const question = openQuestion(state);
  const round = keyOf(question);
  const isExpected = useIsExpected(meetingId);
  const isTurn = useTurn(round, state ?? EMPTY);
  const query = useQuery({
    ...proxyQueries.held(meetingId, question?.id ?? '', question?.roundId ?? null, isExpected),
    enabled: round !== null && (isExpected || isTurn),
  });
  const answer = query.data?.roundId === question?.roundId ? query.data : undefined;
  const isUnknown = round !== null && answer === undefined;
  // Also while the request is repeated.
  const hasFailed = isUnknown && query.errorUpdateCount > 0;

  useAfterBreak({ state, status }, () => {
    if (isUnknown || query.isError || answer?.votes.length) {
      void query.refetch();
    }
  });
  useAfterAdmission(round, state, () => {
    // Whoever has votes asks every few seconds in any case.
    if (answer === undefined ? query.isFetching : answer.votes.length === 0) {
      void query.refetch();
    }
  });

  return {
    votes: answer?.votes ?? [],
    /** The time of the last answer. */
    at: query.dataUpdatedAt,
    isExpected,
    isLoading: isUnknown && !hasFailed,
    hasFailed,
    isRetrying: query.isFetching,
    retry: () => void query.refetch(),
  };
}

/** Whether the voter holds proxies, as the screen knew before the question. True while it does not know. */
function useIsExpected(meetingId: string): boolean {
  const { data } = useQuery({ ...proxyQueries.own(meetingId), enabled: false });
  return data === undefined || data.held.length > 0;
}

/**
 * Whether a phone that expects no votes asks for them now. A proxy may be new, so all phones ask at each opening, but not
 * at the same moment: the ballots come first.
 */
function useTurn(round: string | null, hall: Hall): boolean {
  const [askedIn, setAskedIn] = useState<string | null>(null);
  const askLater = useRecheck(() => setAskedIn(round));
  const handleOpening = useEffectEvent(() => askLater(afterStep(hall)));
  useEffect(() => {
    if (round !== null) {
      handleOpening();
    }
  }, [round]);
  return askedIn === round;
}

/**
 * Fetches again when the register of the open round has changed: whoever is admitted brings the proxies that they gave and
 * hold. All phones see it at the same moment.
 */
function useAfterAdmission(round: string | null, state: LiveState | null, look: () => void) {
  const recheck = useRecheck(look);
  const register = state === null ? null : `${state.registerSize} ${state.step}`;
  const seen = useRef({ round, register });
  const handleRegister = useEffectEvent(() => {
    const before = seen.current;
    seen.current = { round, register };
    if (round !== null && before.round === round && before.register !== register) {
      recheck(afterStep(state ?? EMPTY));
    }
  });
  useEffect(() => {
    if (register !== null) {
      handleRegister();
    }
  }, [register]);
}

/** Fetches again when the connection is back. A whole hall comes back at the same moment. */
function useAfterBreak({ state, status }: Pick<Live<LiveState>, 'state' | 'status'>, look: () => void) {
  const recheck = useRecheck(look);
  const handleReturn = useEffectEvent(() => recheck(afterStep(state ?? EMPTY)));
  const isConnected = isReachable(status);
  useEffect(() => {
    if (isConnected) {
      handleReturn();
    }
  }, [isConnected]);
}
