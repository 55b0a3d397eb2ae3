import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { api, unwrap } from '../../../api/client';
import type { VoterQuestion } from '../../../api/types';
import type { Ballot } from '../../../shared/ballot/ballot';
import { type ConnectionStatus, isReachable } from '../../../shared/live/live-connection';
import { undeliveredBallotNote } from '../../../shared/storage';
import { voterQueries } from '../queries';
import { BallotDelivery, type Delivery, type StoredVote } from './ballot-delivery';

interface BallotDeliveryOptions {
  meetingId: string;
  userId: string;
  connection: ConnectionStatus;
  onStored: (delivery: Extract<Delivery, { state: 'stored' }>) => void;
  onRefused: (delivery: Extract<Delivery, { state: 'refused' }>) => void;
}

export interface BallotDeliveryHandle {
  delivery: Delivery;
  /** Returns false if the ballot is not sent: another one is being sent, or the page was left. */
  deliver: (ballot: Ballot) => boolean;
  setAside: () => void;
  dismiss: () => void;
}

function requestOf(meetingId: string, { questionId, roundId, answers, sealed }: Ballot) {
  return {
    params: { path: { meetingId, questionId } },
    // Without it, a refusal is plain text without a code.
    headers: { Accept: 'application/json' },
    body: {
      ...(sealed?.envelope ? { envelope: sealed.envelope } : { answers }),
      ...(roundId === null ? {} : { roundId }),
    },
  };
}

/** The voter's vote that the server has; null without one. */
function storedVote(question: VoterQuestion): StoredVote | null {
  const { hasVoted, userVote, votedAt, receipt, castOn, votedByProxy } = question;
  return hasVoted ? { answers: userVote ?? [], castAt: votedAt, receipt, castOn, votedByProxy } : null;
}

/** Asks the server for the voter's vote in the ballot's round. */
async function findVote(
  queryClient: QueryClient,
  meetingId: string,
  { questionId, roundId }: Ballot,
): Promise<StoredVote | null> {
  const query = voterQueries.meeting(meetingId);
  // A request that is under way may have been answered before the vote was stored.
  await queryClient.cancelQueries(query);
  const body = await queryClient.fetchQuery({ ...query, staleTime: 0 });
  const question = body.meeting.questions.find(
    (one) => one.id === questionId && (roundId === null || one.roundId === roundId),
  );
  return question ? storedVote(question) : null;
}

/** Submits a ballot and retries after lost responses, a server restart and a reload of the page. */
export function useBallotDelivery(options: BallotDeliveryOptions): BallotDeliveryHandle {
  const { meetingId, userId, connection } = options;
  const queryClient = useQueryClient();
  const [delivery, setDelivery] = useState<Delivery>({ state: 'idle' });
  const machine = useRef<BallotDelivery | null>(null);
  /** The ballot as submitted: the server may return it slightly changed. */
  const handedIn = useRef<Ballot | null>(null);

  const handleChange = useEffectEvent((next: Delivery) => {
    setDelivery(next);
    if (next.state === 'sending') {
      if (!next.isDelayed) {
        undeliveredBallotNote.save(meetingId, { ...next.ballot, userId });
      }
      handedIn.current = next.ballot;
    } else if (handedIn.current !== null) {
      undeliveredBallotNote.remove(meetingId, handedIn.current);
      handedIn.current = null;
    }
    if (next.state === 'stored') {
      options.onStored(next);
    }
    if (next.state === 'refused') {
      options.onRefused(next);
    }
  });

  useEffect(() => {
    const current = new BallotDelivery({
      send: async (ballot, signal) => {
        const body = await unwrap(
          api.POST('/voting/meetings/{meetingId}/questions/{questionId}/vote', {
            ...requestOf(meetingId, ballot),
            signal,
          }),
        );
        return body.vote;
      },
      find: (ballot) => findVote(queryClient, meetingId, ballot),
      onChange: handleChange,
    });
    machine.current = current;
    const wake = () => {
      current.wake();
      const kept = undeliveredBallotNote.read(meetingId, userId);
      if (kept !== null) {
        current.deliver(kept, { isResumed: true });
      }
    };
    window.addEventListener('online', wake);
    // From `submitSealed`, if this page was left, and opened again, before the ballot was sealed.
    window.addEventListener(meetingId, wake);
    wake();
    return () => {
      window.removeEventListener('online', wake);
      window.removeEventListener(meetingId, wake);
      current.stop();
      machine.current = null;
      setDelivery({ state: 'idle' });
    };
  }, [meetingId, userId, queryClient]);

  useEffect(() => {
    if (isReachable(connection)) {
      machine.current?.wake();
    }
  }, [connection]);

  const deliver = useCallback((ballot: Ballot) => machine.current?.deliver(ballot) === true, []);
  const setAside = useCallback(() => machine.current?.setAside(), []);
  const dismiss = useCallback(() => machine.current?.dismiss(), []);

  return { delivery, deliver, setAside, dismiss };
}
