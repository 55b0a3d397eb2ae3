import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { ApiError, messageOf } from '../../api/api-error';
import { randomUuid } from '../../api/random-uuid';
import type { EnterPaperBatchBody, PaperBatch } from '../../api/types';
import { countsOf } from './counts';
import type { PaperApi } from './paper-api';
import type { PaperDraft } from './paper-draft';
import { paperQueries } from './paper-queries';
import type { PaperQuestion } from './paper-question';
import { untilDecided } from './until-decided';
import type { DraftChange } from './use-paper-draft';

interface SendBatchOptions {
  api: PaperApi;
  question: PaperQuestion | null;
  draft: PaperDraft | null;
  change: (next: DraftChange) => void;
  clear: () => void;
}

/** Sends the batch while it is marked as being sent, also after a reload, until the server has answered. */
export function useSendBatch({ api, question, draft, change, clear }: SendBatchOptions) {
  const queryClient = useQueryClient();
  const [isDelayed, setIsDelayed] = useState(false);
  const [refused, setRefused] = useState<{ roundId: string; words: string } | null>(null);
  const [entered, setEntered] = useState<{ roundId: string; batch: PaperBatch } | null>(null);
  if (refused !== null && draft?.roundId !== refused.roundId) {
    // The batch is discarded: the next one has not been refused.
    setRefused(null);
  }
  const isOfThis = draft !== null && draft.roundId === question?.roundId;
  const sendingId = isOfThis && draft.isSending ? draft.id : null;

  const send = useEffectEvent(async (signal: AbortSignal) => {
    if (draft === null || question === null) {
      return;
    }
    const { roundId } = draft;
    setIsDelayed(false);
    setRefused(null);
    try {
      const batch = await untilDecided((attempt) => api.enter(roundId, bodyOf(question, draft), attempt), {
        signal,
        onDelayed: () => setIsDelayed(true),
      });
      clear();
      setEntered({ roundId, batch });
    } catch (refusal) {
      if (!signal.aborted) {
        // An earlier attempt may have been stored: then the next one must be known as the same batch.
        change({ isSending: false, ...(isOfBatch(refusal) ? { id: randomUuid() } : {}) });
        setRefused({ roundId, words: refusalWords(refusal, draft) });
      }
    }
    void queryClient.invalidateQueries({ queryKey: paperQueries.ofRound(roundId) });
  });

  useEffect(() => {
    if (sendingId === null) {
      return;
    }
    const attempts = new AbortController();
    void send(attempts.signal);
    return () => attempts.abort();
  }, [sendingId]);

  return {
    isSending: sendingId !== null,
    isDelayed,
    /** Why the server refused this batch. */
    error: isOfThis ? (refused?.words ?? null) : null,
    /** The batch that was entered last, until the next one is begun. */
    entered: draft === null && entered?.roundId === question?.roundId ? (entered?.batch ?? null) : null,
    start: () => change({ isSending: true }),
  };
}

/** The session or the link of a caller may end after an attempt whose response was lost. */
const OF_CALLER = [401, 403];

/** Whether the server refused the batch itself, so that none with its id is stored. A proxy's refusal has no code. */
function isOfBatch(refusal: unknown): boolean {
  return refusal instanceof ApiError && refusal.code !== 'unknown' && !OF_CALLER.includes(refusal.status);
}

function bodyOf(question: PaperQuestion, { id, people, counts }: PaperDraft): EnterPaperBatchBody {
  return question.secrecy === 'named'
    ? { id, ballots: people.map(({ endUserId, answers }) => ({ endUserId, answers })) }
    : { id, people: people.map(({ endUserId }) => endUserId), counts: countsOf(counts) };
}

/** The field of a person or a ballot in a refused batch, with its place. */
const FIELD = /^(?:ballots|people)\.(\d+)/;

/** The reason, with the name of the person whose ballot the server refused. */
function refusalWords(refusal: unknown, { people }: PaperDraft): string {
  const words = messageOf(refusal, 'The batch was not entered');
  const fields = refusal instanceof ApiError ? Object.keys(refusal.fields) : [];
  const place = fields.map((field) => FIELD.exec(field)?.[1]).find((number) => number !== undefined);
  const person = place === undefined ? undefined : people[Number(place)];
  return person ? `${person.name}: ${words}` : words;
}
