import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { countOf } from '../../../shared/format';
import { organizerPaperApi } from '../../../shared/paper-votes/paper-api';
import { paperQueries } from '../../../shared/paper-votes/paper-queries';
import { StepNotice } from '../steps/step-notice';

/** Tellers may enter a batch at any moment. Most votes have none. */
const EVERY_MS = 10_000;

interface WaitingBatchesProps {
  meetingId: string;
  roundId: string;
}

/** Warns of votes on paper that nobody has confirmed: they do not count if voting ends now. */
export function WaitingBatches({ meetingId, roundId }: WaitingBatchesProps) {
  const [api] = useState(() => organizerPaperApi(meetingId));
  const batches = useQuery({ ...paperQueries.batches(api, roundId), refetchInterval: EVERY_MS });
  const waiting = batches.data?.filter(({ state }) => state === 'WAITING') ?? [];
  const ballots = waiting.reduce((sum, batch) => sum + batch.ballots, 0);
  return waiting.length === 0 ? null : (
    <StepNotice notice={{ tone: 'warning', text: wordsFor(waiting.length, ballots) }} />
  );
}

function wordsFor(batches: number, ballots: number): string {
  const waits = batches === 1 ? 'waits' : 'wait';
  return `${countOf(batches, 'batch', 'batches')} with ${countOf(ballots, 'vote')} on paper ${waits} for confirmation. They do not count if voting ends before.`;
}
