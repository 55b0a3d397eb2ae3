import { useState } from 'react';
import type { User, VoterQuestion, VoterResult } from '../../api/types';
import { type BallotQuestion, roundKey, shownPart } from '../../shared/ballot/ballot';
import type { LiveQuestion, LiveState } from '../../shared/live/live-events';
import type { Live } from '../../shared/live/use-live-connection';
import { useLiveMeeting } from '../../shared/live/use-live-meeting';
import { ballotDraftNote, voteNotes } from '../../shared/storage';
import { toast } from '../../shared/ui/toast';
import type { Delivery } from './ballot/ballot-delivery';
import { followLiveChange } from './follow-live-change';
import { useResetVote } from './mutations';
import { keyOf, openQuestion, type QuestionRound } from './open-question';
import { latestResult } from './results/declared-results';
import { ignore } from './secret/load-sealing';
import { type MissedRound, missedRound, useClosedRound } from './use-closed-round';
import { type FetchedMeeting, useFetchedVotes } from './use-fetched-votes';
import { useSentBallot } from './use-sent-ballot';
import { useVotingRefresh } from './use-voting-refresh';

export interface Voting {
  live: Live<LiveState>;
  delivery: Delivery;
  /** The ballot to show: the open question, or the one that is being submitted. */
  paper: BallotQuestion | null;
  /** The choices on the ballot before the page was reloaded. */
  drafted: string[];
  /** The open question, if this voter's vote on it is stored. */
  voted: LiveQuestion | null;
  /** Another question was opened while a ballot is being sent. */
  isNextOpen: boolean;
  missed: MissedRound | null;
  /** The results declared so far. */
  results: VoterResult[];
  /** The number of declared results that are not shown, because their records are damaged. */
  damagedCount: number;
  /** The last declared one, as long as no other question was opened after it. */
  latest: VoterResult | null;
  /** The groups of the open question, if the voter is not in its register, as far as is known. Otherwise null. */
  outsideOf: string[] | null;
  draft: (question: BallotQuestion, answers: string[]) => void;
  submit: (question: BallotQuestion, answers: string[]) => void;
  setAside: () => void;
  /** Notes that the server has stored the own vote in the round. */
  markStored: (round: string) => void;
  /** Notes that the own vote in the round is among the ballots of a holder of proxies. */
  noteHeld: (roundId: string) => void;
  reset: (questionId: string) => void;
  isResetting: boolean;
  /** The device is sealing the ballot. */
  isSealing: boolean;
  /** The meeting was running while this page was open. */
  hasRun: boolean;
}

/** The state of one meeting for a voter: questions open and close, and one ballot at a time is sent. */
export function useVoting(meetingId: string, user: User, fetched: FetchedMeeting): Voting {
  const votes = useFetchedVotes(meetingId, fetched);
  const { closed, noteClosed, forgetClosed, noteHeld } = useClosedRound(meetingId);
  const [lastOpenedAt, setLastOpenedAt] = useState<string | null>(null);
  const [hasRun, setHasRun] = useState(false);

  const live = useLiveMeeting(
    meetingId,
    {
      onChange: handleLiveChange,
      onServerError: (message) => toast.error(message || 'Connection error'),
    },
    { pausesWhenHidden: true },
  );
  const ballot = useSentBallot({ meetingId, userId: user.id, live, votes, onSubmit: forgetClosed });
  const { delivery, sendingKey } = ballot;
  const resetVote = useResetVote(meetingId);

  const current = openQuestion(live.state);
  const isSending = sendingKey !== null;
  const voted = current && votes.isVoted(current) ? current : null;
  useVotingRefresh({ meetingId, live, votes, isFetched: !!fetched.meeting, isVotedNow: voted !== null });

  function handleLiveChange(previous: LiveState | null, next: LiveState) {
    followLiveChange(previous, next, {
      meetingId,
      userId: user.id,
      votes,
      sendingKey,
      noteClosed,
      forgetClosed,
      onRunning: () => setHasRun(true),
      onOpened: ({ openedAt }) => setLastOpenedAt(openedAt),
      onNewQuestion: ballot.dismissRead,
    });
  }

  function handleReset(question: LiveQuestion | null) {
    voteNotes.clear(meetingId);
    if (question?.secrecy === 'secret') {
      void import('./secret/receipt-notes').then((notes) => notes.forgetReceipt(question.roundId), ignore);
    }
    votes.forgetStored();
    ballot.dismiss();
    void live.refresh();
  }

  const paper = isSending ? ballot.handedIn : voted ? null : current;
  const outsideOf = !isSending && paper !== null ? keptOutOf(votes.fetchedQuestion(paper)) : null;
  const votedAt = fetched.meeting?.questions.map((question) => question.votedAt) ?? [];
  // Without the live state it is unknown whether a question is open.
  const latest = live.state === null ? null : latestResult(votes.results, [lastOpenedAt, ...votedAt]);

  return {
    live,
    delivery,
    paper: outsideOf ? null : paper,
    drafted: current === null ? [] : draftedOn(meetingId, user, current),
    voted,
    isNextOpen: isSending && current !== null && keyOf(current) !== sendingKey,
    results: votes.results,
    damagedCount: votes.damagedCount,
    latest,
    outsideOf,
    missed: missedRound(closed, closed ? votes.fetchedQuestion(closed) : undefined, latest, fetched.at),
    draft: (question, answers) => keepDraft(meetingId, user, question, answers),
    submit: ballot.submit,
    setAside: ballot.setAside,
    markStored: votes.markStored,
    noteHeld,
    reset: (questionId) =>
      resetVote.mutate(questionId, {
        onSuccess: () => handleReset(voted),
        onError: () => toast.error('Reset failed, but you can try again'),
      }),
    isResetting: resetVote.isPending,
    isSealing: ballot.isSealing,
    hasRun,
  };
}

function keptOutOf(question: VoterQuestion | undefined): string[] | null {
  return question?.isActive && !question.isInRegister ? question.groups : null;
}

function keepDraft(meetingId: string, user: User, question: BallotQuestion, answers: string[]) {
  const { id, roundId, text } = question;
  if (answers.length === 0) {
    ballotDraftNote.remove(meetingId);
  } else {
    ballotDraftNote.save(meetingId, {
      userId: user.id,
      questionId: id,
      roundId,
      text,
      answers,
      ...shownPart(question, answers),
    });
  }
}

function draftedOn(meetingId: string, user: User, question: QuestionRound): string[] {
  const draft = ballotDraftNote.read(meetingId, user.id);
  const isOfThis = draft !== null && roundKey(draft.questionId, draft.roundId) === keyOf(question);
  return isOfThis ? draft.answers : [];
}
