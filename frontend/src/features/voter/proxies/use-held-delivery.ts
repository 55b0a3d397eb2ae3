import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { api, unwrap } from '../../../api/client';
import { session } from '../../../api/session';
import { roundKey } from '../../../shared/ballot/ballot';
import { ballotDraftNote, heldKey } from '../../../shared/storage';
import { voterQueries } from '../queries';
import { ignore } from '../secret/load-sealing';
import { keepReceipt } from '../secret/receipt-notes';
import {
  following,
  type HeldAnswer,
  type HeldBallot,
  type HeldBallots,
  HeldDelivery,
  keptReceiptOf,
  pending,
} from './held-delivery';
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

/**
 * The last submission, by meeting and user. A page that was left while it sealed its ballots learns from it that the holder
 * has voted since.
 */
const latest = new Map<string, symbol>();

async function send(
  meetingId: string,
  { questionId, roundId }: HeldBallots,
  ballots: HeldBallot[],
  signal: AbortSignal,
): Promise<HeldAnswer[]> {
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
}

/**
 * Keeps ballots of a page that the holder left while they were sealed, but not of somebody who has signed out, and not in
 * place of ballots that are being sent. The page of the meeting sends them: at once if it is open again, otherwise when it
 * is opened.
 */
function keepHeld(meetingId: string, held: HeldBallots): void {
  const { userId } = held;
  if (session.storedOwner() === userId && heldBallotsNote.read(meetingId, userId) === null) {
    heldBallotsNote.save(meetingId, held);
    window.dispatchEvent(new Event(heldKey(meetingId)));
  }
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
  const key = `${meetingId}_${userId}`;
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
      const receipt = keptReceiptOf(own, sent) ?? own.receipt;
      if (receipt !== null) {
        keepReceipt(sent.roundId, receipt);
      }
      markStored(roundKey(sent.questionId, sent.roundId));
    } else if (own) {
      void import('../results/own-vote').then(({ noteLateIn }) => noteLateIn(sent.roundId, own.code), ignore);
    }
    if (!isSending) {
      void queryClient.invalidateQueries({ queryKey: voterQueries.meeting(meetingId).queryKey });
      void queryClient.invalidateQueries({ queryKey: [...voterQueries.all(), 'held', meetingId] });
    }
  });

  /** Sends the ballots that another page of this meeting has sealed after it was left. */
  const handleKept = useEffectEvent((current: HeldDelivery) => {
    const kept = heldBallotsNote.read(meetingId, userId);
    if (kept !== null) {
      current.deliver(following(state?.sent ?? null, kept));
    }
  });

  useEffect(() => {
    const current = new HeldDelivery({
      send: (sent, ballots, signal) => send(meetingId, sent, ballots, signal),
      onChange: handleChange,
    });
    machine.current = current;
    const wake = () => current.wake();
    window.addEventListener('online', wake);
    const handleSealed = () => handleKept(current);
    window.addEventListener(heldKey(meetingId), handleSealed);
    const kept = heldBallotsNote.read(meetingId, userId);
    if (kept !== null) {
      current.deliver(kept, true);
    }
    return () => {
      window.removeEventListener('online', wake);
      window.removeEventListener(heldKey(meetingId), handleSealed);
      current.stop();
      machine.current = null;
    };
  }, [meetingId, userId]);

  const earlier = state?.sent ?? null;
  /** Begins a submission. Returns the function that delivers its ballots, which may have to be sealed first. */
  const begin = useCallback(() => {
    const own = Symbol();
    latest.set(key, own);
    return (sent: HeldBallots) => {
      const next = following(earlier, sent);
      if (machine.current !== null) {
        machine.current.deliver(next);
      } else if (latest.get(key) === own) {
        keepHeld(meetingId, next);
      }
    };
  }, [earlier, key, meetingId]);
  return { state, begin };
}
