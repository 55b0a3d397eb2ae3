import { useState } from 'react';
import type { VoterQuestion, VoterResult } from '../../api/types';
import { ballotDraftNote } from '../../shared/storage';
import type { QuestionRound } from './open-question';

/** A round that closed before this voter submitted a ballot on this page. */
export interface MissedRound {
  text: string;
  /** False until the data are fetched again: another device may have voted. */
  isCertain: boolean;
}

type ClosedRound = QuestionRound & { text: string; since: number };

/** The last round that closed without a ballot from this page. */
export function useClosedRound(meetingId: string) {
  const [closed, setClosed] = useState<ClosedRound | null>(null);
  /** The round of a holder's ballots with the own vote, which have an outcome of their own. */
  const [heldIn, noteHeld] = useState('');

  function noteClosed({ id, roundId, text }: QuestionRound & { text: string }) {
    setClosed({ id, roundId, text, since: Date.now() });
    ballotDraftNote.remove(meetingId);
  }

  return {
    closed: closed?.roundId === heldIn ? null : closed,
    noteClosed,
    forgetClosed: () => setClosed(null),
    noteHeld,
  };
}

/** The missed round to show. Null if the voter voted, had no vote, or sees its result. */
export function missedRound(
  closed: ClosedRound | null,
  question: VoterQuestion | undefined,
  latest: VoterResult | null,
  fetchedAt: number,
): MissedRound | null {
  const hasMissed =
    closed !== null &&
    question?.hasVoted !== true &&
    question?.isInRegister !== false &&
    // The result shows the counted vote.
    latest?.result.roundId !== closed.roundId;
  return hasMissed ? { text: closed.text, isCertain: fetchedAt > closed.since } : null;
}
