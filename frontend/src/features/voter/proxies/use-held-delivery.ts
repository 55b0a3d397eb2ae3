import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { api, unwrap } from '../../../api/client';
import { session } from '../../../api/session';
import { roundKey } from '../../../shared/ballot/ballot';
import { ballotDraftNote } from '../../../shared/storage';
import { voterQueries } from '../queries';
import { ignore } from '../secret/load-sealing';
import { following, type HeldBallots, HeldDelivery, pending } from './held-delivery';
import { heldBallotsNote } from './held-notes';
import { SELF } from './people-groups';

export interface HeldState {
  sent: HeldBallots;
  isSending: boolean;
  isDelayed: boolean;
  /** False if the browser refuses storage. */
  isKept: boolean;
  /** The time of the last change. */
  at: number;
}

interface HeldDeliveryOptions {
  meetingId: string;
  userId: string;
  /** Notes that the server has stored the own vote in the round. */
  markStored: (round: string) => void;
  /** Notes that the own vote in the round is among these ballots. */
  noteHeld: (roundId: string) => void;
}

/** Submits the ballots of a holder, and retries after lost responses and a reload of the page. */
export function useHeldDelivery({ meetingId, userId, markStored, noteHeld }: HeldDeliveryOptions) {
  const queryClient = useQueryClient();
  const [state, setState] = useState<HeldState | null>(null);
  const machine = useRef<HeldDelivery | null>(null);

  const handleChange = useEffectEvent((sent: HeldBallots, isDelayed: boolean) => {
    const isSending = pending(sent).length > 0;
    heldBallotsNote.save(meetingId, isSending ? sent : null);
    const isKept = heldBallotsNote.read(meetingId, userId) !== null;
    setState({ sent, isSending, isDelayed, isKept, at: Date.now() });
    if (sent.ballots.some((ballot) => ballot.for === SELF)) {
      noteHeld(sent.roundId);
      // After a reload, a draft of the own ballot would count as a vote that was not submitted.
      if (ballotDraftNote.read(meetingId, userId)?.roundId === sent.roundId) {
        ballotDraftNote.remove(meetingId);
      }
    }
    const own = sent.outcomes.find((outcome) => outcome.for === SELF);
    if (own?.code === null) {
      markStored(roundKey(sent.questionId, sent.roundId));
    } else if (own) {
      void import('../results/own-vote').then(({ noteLateIn }) => noteLateIn(sent.roundId, own.code), ignore);
    }
    if (!isSending) {
      void queryClient.invalidateQueries({ queryKey: voterQueries.meeting(meetingId).queryKey });
      void queryClient.invalidateQueries({ queryKey: [...voterQueries.all(), 'held', meetingId] });
    }
  });

  useEffect(() => {
    const current = new HeldDelivery({
      send: async ({ questionId, roundId }, ballots, signal) => {
        const body = await unwrap(
          api.POST('/voting/meetings/{meetingId}/questions/{questionId}/votes', {
            params: { path: { meetingId, questionId } },
            headers: { Accept: 'application/json' },
            body: {
              roundId,
              ballots: ballots.map((ballot) => ({
                for: ballot.for,
                ...(ballot.envelope === null ? { answers: ballot.answers } : { envelope: ballot.envelope }),
              })),
            },
            signal,
          }),
        );
        return body.outcomes;
      },
      onChange: handleChange,
    });
    machine.current = current;
    const wake = () => current.wake();
    window.addEventListener('online', wake);
    const kept = heldBallotsNote.read(meetingId, userId);
    if (kept !== null) {
      current.deliver(kept, true);
    }
    return () => {
      window.removeEventListener('online', wake);
      current.stop();
      machine.current = null;
    };
  }, [meetingId, userId]);

  const earlier = state?.sent ?? null;
  const deliver = useCallback(
    (sent: HeldBallots) => {
      const next = following(earlier, sent);
      if (machine.current !== null) {
        machine.current.deliver(next);
      } else if (session.storedOwner() === userId) {
        // The voter left the page while the ballots were sealed. It sends them when it is opened again.
        heldBallotsNote.save(meetingId, next);
      }
    },
    [earlier, meetingId, userId],
  );
  return { state, deliver };
}
