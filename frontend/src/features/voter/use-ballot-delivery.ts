import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { api, unwrap } from '../../api/client';
import type { LiveState } from '../../shared/live/live-events';
import { undeliveredBallotNote } from '../../shared/storage';
import { type Ballot, roundKey } from './ballot';
import { BallotDelivery, type Delivery } from './ballot-delivery';
import { voterQueries } from './queries';

interface BallotDeliveryOptions {
  meetingId: string;
  userId: string;
  live: { state: LiveState | null; status: string };
  onStored: (delivery: Extract<Delivery, { state: 'stored' }>) => void;
  onRefused: (delivery: Extract<Delivery, { state: 'refused' }>) => void;
}

export interface BallotDeliveryHandle {
  delivery: Delivery;
  deliver: (ballot: Ballot) => void;
  dismiss: () => void;
}

/** Hands in a ballot and keeps at it: through lost answers, a server that restarts, and a reload of the page. */
export function useBallotDelivery(options: BallotDeliveryOptions): BallotDeliveryHandle {
  const { meetingId, userId, live } = options;
  const queryClient = useQueryClient();
  const [delivery, setDelivery] = useState<Delivery>({ state: 'idle' });
  const machine = useRef<BallotDelivery | null>(null);

  const isItsRound = useEffectEvent((ballot: Ballot) => {
    const current = live.state?.currentQuestion;
    return (
      !current?.isActive ||
      current.id !== ballot.questionId ||
      ballot.roundId === null ||
      current.roundId === ballot.roundId
    );
  });

  const handleChange = useEffectEvent((next: Delivery) => {
    setDelivery(next);
    if (next.state === 'sending' && !next.isDelayed) {
      undeliveredBallotNote.save(meetingId, { ...next.ballot, userId });
    }
    if (next.state === 'stored' || next.state === 'refused') {
      undeliveredBallotNote.remove(meetingId);
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
      send: async ({ questionId, answers }, signal) => {
        const body = await unwrap(
          api.POST('/voting/meetings/{meetingId}/questions/{questionId}/vote', {
            params: { path: { meetingId, questionId } },
            // Without it a refusal comes as plain text, which has no code.
            headers: { Accept: 'application/json' },
            body: { answers },
            signal,
          }),
        );
        return body.vote;
      },
      find: async ({ questionId }) => {
        const body = await queryClient.fetchQuery({ ...voterQueries.meeting(meetingId), staleTime: 0 });
        const question = body.meeting.questions.find(({ id }) => id === questionId);
        return question?.hasVoted ? { answers: question.userVote ?? [], castAt: question.votedAt } : null;
      },
      isItsRound,
      onChange: handleChange,
    });
    machine.current = current;
    return () => {
      current.stop();
      machine.current = null;
      setDelivery({ state: 'idle' });
    };
  }, [meetingId, queryClient]);

  const isLiveKnown = live.state !== null;
  const resume = useEffectEvent(() => {
    const ballot = undeliveredBallotNote.read(meetingId, userId);
    const current = live.state?.currentQuestion;
    if (!ballot) {
      return;
    }
    const key = roundKey(ballot.questionId, ballot.roundId);
    if (current?.hasVoted && roundKey(current.id, current.roundId) === key) {
      undeliveredBallotNote.remove(meetingId);
      return;
    }
    machine.current?.deliver(ballot, { isResumed: true });
  });
  useEffect(() => {
    // Not before it is known which round is open: an old ballot must not get into a new round.
    if (isLiveKnown) {
      resume();
    }
  }, [isLiveKnown]);

  useEffect(() => {
    if (live.status === 'live') {
      machine.current?.wake();
    }
  }, [live.status]);

  const deliver = useCallback((ballot: Ballot) => machine.current?.deliver(ballot), []);
  const dismiss = useCallback(() => machine.current?.dismiss(), []);

  return { delivery, deliver, dismiss };
}
