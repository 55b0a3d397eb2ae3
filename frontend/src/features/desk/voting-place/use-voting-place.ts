import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../../../api/api-error';
import { randomUuid } from '../../../api/random-uuid';
import type { DeskQuestion, RegisterEntry } from '../../../api/types';
import { toAnswers } from '../../../shared/ballot/ballot';
import { paperQueries } from '../../../shared/paper-votes/paper-queries';
import { ballotQuestion } from '../../../shared/paper-votes/paper-question';
import { untilDecided } from '../../../shared/paper-votes/until-decided';
import type { PlaceApi } from './place-api';
import { ENDED_DURING_BALLOT, NOT_SEALED, noBallotWords, noVoteWords, PERHAPS_COUNTED } from './place-words';

/** A ballot of one person, which exists only in the memory of this device. */
export interface GivenBallot {
  id: string;
  person: RegisterEntry;
  question: DeskQuestion;
}

export type PlaceState =
  /** The helper looks for a person. */
  | { at: 'search'; notice: string | null }
  /** The server notes that this person gets a ballot here. */
  | { at: 'issuing'; ballot: GivenBallot; isDelayed: boolean }
  | { at: 'ballot'; ballot: GivenBallot }
  | { at: 'sending'; isDelayed: boolean }
  /** The vote is counted. In a secret vote with its receipt. */
  | { at: 'thanks'; receipt: string | null };

const loadSealing = () => import('../../../shared/sealing/seal-ballot');

/** Loads the sealing before the voter needs it: the network may be gone by then. */
const canLoadSealing = () =>
  loadSealing().then(
    () => true,
    () => false,
  );

/** A voting place: one person after another, of whom nothing stays on the device. */
export function useVotingPlace(api: PlaceApi, question: DeskQuestion | null | undefined) {
  const queryClient = useQueryClient();
  const [state, setState] = useState<PlaceState>({ at: 'search', notice: null });
  const { begin, abort } = useRequests();

  function forget(notice: string | null) {
    abort();
    queryClient.removeQueries({ queryKey: paperQueries.searches() });
    setState({ at: 'search', notice });
  }

  /** Gives a person the ballot of the open question. */
  async function give(person: RegisterEntry) {
    if (!question) {
      return;
    }
    const signal = begin();
    const ballot = { id: randomUuid(), person, question };
    const body = { id: ballot.id, endUserId: person.endUserId, roundId: question.roundId };
    setState({ at: 'issuing', ballot, isDelayed: false });
    try {
      await untilDecided((sent) => api.issue(body, sent), {
        signal,
        onDelayed: () => setState({ at: 'issuing', ballot, isDelayed: true }),
      });
    } catch (error) {
      if (!signal.aborted) {
        forget(noBallotWords(error));
      }
      return;
    }
    const canCast = question.secrecy !== 'secret' || (await canLoadSealing());
    if (signal.aborted) {
      return;
    }
    if (canCast) {
      setState({ at: 'ballot', ballot });
    } else {
      forget(NOT_SEALED);
    }
  }

  async function cast({ id, person, question: asked }: GivenBallot, answers: string[]) {
    const signal = begin();
    setState({ at: 'sending', isDelayed: false });
    const content = await contentOf(asked, answers, person.endUserId).catch(() => null);
    if (content === null) {
      forget(NOT_SEALED);
      return;
    }
    const isSealedByServer = asked.secrecy === 'secret' && 'answers' in content;
    let isRepeat = false;
    try {
      const { vote } = await untilDecided((sent) => api.cast({ ballotId: id, ...content }, sent), {
        signal,
        onDelayed: () => {
          isRepeat = true;
          setState({ at: 'sending', isDelayed: true });
        },
      });
      if (!signal.aborted) {
        setState({ at: 'thanks', receipt: vote.receipt });
      }
    } catch (error) {
      if (!signal.aborted) {
        const isKnown = error instanceof ApiError && error.code === 'already_voted';
        forget(isKnown && isRepeat && isSealedByServer ? PERHAPS_COUNTED : noVoteWords(error));
      }
    }
  }

  useLeaving(() => {
    if (state.at !== 'sending') {
      forget(null);
    }
  });
  useEndedRound(state, question, () => forget(ENDED_DURING_BALLOT));

  return { state, give, cast, forget };
}

/** The request that runs, with its repetitions: the next one, and the end of the screen, end it. */
function useRequests() {
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);
  return {
    abort: () => current.current?.abort(),
    begin: (): AbortSignal => {
      current.current?.abort();
      current.current = new AbortController();
      return current.current.signal;
    },
  };
}

/** Forgets the person if the page is left. The browser may keep it, and show it again after "back". */
function useLeaving(forget: () => void) {
  const leave = useEffectEvent(forget);
  useEffect(() => {
    const handleLeaving = () => leave();
    window.addEventListener('pagehide', handleLeaving);
    return () => window.removeEventListener('pagehide', handleLeaving);
  }, []);
}

/** Calls back if voting on the question of the shown ballot ends, or another question opens. */
function useEndedRound(state: PlaceState, question: DeskQuestion | null | undefined, onEnded: () => void) {
  const shown = state.at === 'ballot' || state.at === 'issuing' ? state.ballot.question.roundId : null;
  const hasEnded = shown !== null && question !== undefined && shown !== question?.roundId;
  const end = useEffectEvent(onEnded);
  useEffect(() => {
    if (hasEnded) {
      end();
    }
  }, [hasEnded]);
}

/** What is sent: the answers, or in a secret vote the envelope. Without WebCrypto the server seals. */
async function contentOf(
  question: DeskQuestion,
  answers: string[],
  voterId: string,
): Promise<{ answers: string[] } | { envelope: string }> {
  const read = toAnswers(question.type, answers);
  // Without a confirmed key the server refuses the vote, and says why.
  if (question.secrecy !== 'secret' || question.sealing === null) {
    return { answers: read };
  }
  const { sealBallot } = await loadSealing();
  const { sealed } = await sealBallot(ballotQuestion(question), read, voterId);
  return sealed?.envelope ? { envelope: sealed.envelope } : { answers: read };
}
