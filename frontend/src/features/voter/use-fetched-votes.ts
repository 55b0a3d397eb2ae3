import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { VoterMeeting, VoterQuestion, VoterResult, VoterResultAnswer } from '../../api/types';
import { roundKey } from '../../shared/ballot/ballot';
import type { LiveQuestion, LiveState } from '../../shared/live/live-events';
import type { QuestionRound } from './open-question';
import { voterQueries } from './queries';
import { afterStep, afterVotes, useRecheck } from './use-recheck';

/** The meeting as last fetched, and the time of the answer. */
export interface FetchedMeeting {
  meeting: VoterMeeting | undefined;
  at: number;
}

export type FetchedVotes = ReturnType<typeof useFetchedVotes>;

const NO_RESULTS: VoterResultAnswer[] = [];

function isShown(answer: VoterResultAnswer): answer is VoterResult {
  return answer.result !== null;
}

/** The voter's questions, votes and results from the server, and the functions to fetch them again. */
export function useFetchedVotes(meetingId: string, fetched: FetchedMeeting) {
  const queryClient = useQueryClient();
  /**
   * Rounds whose vote the server confirmed to this page, and when; the next snapshot of the live state includes them. A
   * vote may be taken back elsewhere: a later answer without it is right.
   */
  const [storedRounds, setStoredRounds] = useState<ReadonlyMap<string, number>>(new Map());
  const answered = useQuery(voterQueries.results(meetingId)).data ?? NO_RESULTS;
  const results = useMemo(() => answered.filter(isShown), [answered]);
  const recheckLater = useRecheck(refetchMeeting);
  const recheckMeeting = useRecheck(refetchMeeting);
  const recheckResults = useRecheck(refetchResults);

  function fetchedQuestion(round: QuestionRound): VoterQuestion | undefined {
    return fetched.meeting?.questions.find(({ id, roundId }) => id === round.id && roundId === round.roundId);
  }

  function isVoted(question: LiveQuestion): boolean {
    const storedAt = storedRounds.get(roundKey(question.id, question.roundId));
    const hasVoted = fetchedQuestion(question)?.hasVoted;
    const isStored = storedAt !== undefined && !(hasVoted === false && fetched.at > storedAt);
    return question.hasVoted || isStored || hasVoted === true;
  }

  /** Notes a confirmed vote, and fetches the meeting: an answer to an earlier request may be without the vote. */
  function markStored(key: string) {
    if (!storedRounds.has(key)) {
      setStoredRounds((rounds) => new Map(rounds).set(key, Date.now()));
      void refetchMeeting();
    }
  }

  function refetchMeeting() {
    return queryClient.invalidateQueries({ queryKey: voterQueries.meeting(meetingId).queryKey });
  }

  function refetchResults() {
    return queryClient.invalidateQueries({ queryKey: voterQueries.results(meetingId).queryKey });
  }

  /** Fetches the meeting after a change that all phones see at the same moment. */
  function recheckStep(state: LiveState) {
    recheckMeeting(afterStep(state));
  }

  /** Fetches the meeting again after the register of the open vote changed: the change may concern this voter. */
  function recheckRegister(previous: LiveState, next: LiveState, question: LiveQuestion) {
    const isShorter = previous.registerSize > next.registerSize;
    const isChanged = previous.registerSize !== next.registerSize || previous.step !== next.step;
    if (
      (isChanged && fetchedQuestion(question)?.isInRegister === false) ||
      (isShorter && !isVoted(question))
    ) {
      recheckStep(next);
    }
  }

  return {
    results,
    /** The number of declared results that are not shown, because their records are damaged. */
    damagedCount: answered.length - results.length,
    fetchedQuestion,
    isVoted,
    refetchMeeting,
    /** Fetches the meeting after new votes, or after another change without hurry. */
    recheckLater: (state: LiveState) => recheckLater(afterVotes(state)),
    recheckStep,
    recheckRegister,
    recheckResults: (state: LiveState) => recheckResults(afterStep(state)),
    markStored,
    forgetStored: () => setStoredRounds(new Map()),
  };
}
