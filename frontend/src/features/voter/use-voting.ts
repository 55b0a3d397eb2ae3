import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { User, VoterMeeting, VoterQuestion, VoterResult } from '../../api/types';
import { isReachable } from '../../shared/live/live-connection';
import type { LiveQuestion, LiveState } from '../../shared/live/live-events';
import type { Live } from '../../shared/live/use-live-connection';
import { useLiveMeeting } from '../../shared/live/use-live-meeting';
import { ballotDraftNote, voteNotes } from '../../shared/storage';
import { toast } from '../../shared/ui/toast';
import { type BallotQuestion, roundKey, toBallot } from './ballot/ballot';
import type { Delivery } from './ballot/ballot-delivery';
import { useBallotDelivery } from './ballot/use-ballot-delivery';
import { useResetVote } from './mutations';
import { voterQueries } from './queries';
import { latestResult, mayBeDeclared } from './results/declared-results';
import { AFTER_VOTES, SOON, useRecheck } from './use-recheck';

/** The meeting as last fetched, and the time of the answer. */
export interface FetchedMeeting {
  meeting: VoterMeeting | undefined;
  at: number;
}

/** A round that closed before this voter had handed in a ballot on this page. */
export interface MissedRound {
  text: string;
  /** False until the server was asked: there may be a vote from another device. */
  isCertain: boolean;
}

export interface Voting {
  live: Live<LiveState>;
  delivery: Delivery;
  /** The ballot paper to show: the open question, or the one that is being handed in. */
  paper: BallotQuestion | null;
  /** What was chosen on the paper before the page was loaded again. */
  drafted: string[];
  /** The open question, where this voter's vote on it is stored. */
  voted: LiveQuestion | null;
  /** Another question opened while a ballot is on its way. */
  isNextOpen: boolean;
  missed: MissedRound | null;
  /** Everything that was declared so far. */
  results: VoterResult[];
  /** The one of them that was declared last, as long as no other question was opened after it. */
  latest: VoterResult | null;
  /** The open question is not for this voter, as far as is known. */
  isOutsideRegister: boolean;
  draft: (question: BallotQuestion, answers: string[]) => void;
  submit: (question: BallotQuestion, answers: string[]) => void;
  setAside: () => void;
  reset: (questionId: string) => void;
  isResetting: boolean;
  /** The meeting was running while this page was there. */
  hasRun: boolean;
}

const NO_RESULTS: VoterResult[] = [];

function isKeptOut(question: VoterQuestion | undefined): boolean {
  return question?.isActive === true && !question.isInRegister;
}

interface Round {
  id: string;
  roundId: string | null;
}

function openQuestion(state: LiveState | null): LiveQuestion | null {
  return state?.currentQuestion?.isActive ? state.currentQuestion : null;
}

function keyOf(question: Round | null): string | null {
  return question && roundKey(question.id, question.roundId);
}

/** What happens between a voter and the meeting: questions come and go, and one ballot at a time is handed in. */
export function useVoting(meetingId: string, user: User, fetched: FetchedMeeting): Voting {
  const queryClient = useQueryClient();
  /** Rounds whose vote the server confirmed to this page; the live state tells of it with its next whole. */
  const [storedRounds, setStoredRounds] = useState<ReadonlySet<string>>(new Set());
  /** Kept apart from the live state, so that a new question does not take the place of this paper. */
  const [handedIn, setHandedIn] = useState<BallotQuestion | null>(null);
  const [lastOpenedAt, setLastOpenedAt] = useState<string | null>(null);
  const [hasRun, setHasRun] = useState(false);
  const [closed, setClosed] = useState<(Round & { text: string; since: number }) | null>(null);

  const live = useLiveMeeting(
    meetingId,
    {
      onChange: handleLiveChange,
      onServerError: (message) => toast.error(message || 'Connection error'),
    },
    { pausesWhenHidden: true },
  );
  const { delivery, deliver, setAside, dismiss } = useBallotDelivery({
    meetingId,
    userId: user.id,
    connection: live.status,
    onStored: handleStored,
    onRefused: handleRefused,
  });
  const resetVote = useResetVote(meetingId);
  const results = useQuery(voterQueries.results(meetingId)).data ?? NO_RESULTS;
  const recheck = useRecheck(refetchMeeting, AFTER_VOTES);
  const recheckSoon = useRecheck(refetchMeeting, SOON);
  const recheckResults = useRecheck(refetchResults, SOON);

  const current = openQuestion(live.state);
  const isSending = delivery.state === 'sending';
  const sendingKey = isSending ? roundKey(delivery.ballot.questionId, delivery.ballot.roundId) : null;
  const isVotedNow = current !== null && isVoted(current);

  function fetchedQuestion(round: Round): VoterQuestion | undefined {
    return fetched.meeting?.questions.find(({ id, roundId }) => id === round.id && roundId === round.roundId);
  }

  function isVoted(question: LiveQuestion): boolean {
    return (
      question.hasVoted ||
      storedRounds.has(roundKey(question.id, question.roundId)) ||
      fetchedQuestion(question)?.hasVoted === true
    );
  }

  function refetchMeeting() {
    return queryClient.invalidateQueries({ queryKey: voterQueries.meeting(meetingId).queryKey });
  }

  function refetchResults() {
    return queryClient.invalidateQueries({ queryKey: voterQueries.results(meetingId).queryKey });
  }

  /** Somebody was admitted to the open vote, or taken out of it: it may be this voter. */
  function recheckRegister(previous: LiveState, next: LiveState, question: LiveQuestion) {
    const isShorter = previous.registerSize > next.registerSize;
    const isChanged = previous.registerSize !== next.registerSize || previous.step !== next.step;
    if (
      (isChanged && fetchedQuestion(question)?.isInRegister === false) ||
      (isShorter && !isVoted(question))
    ) {
      recheckSoon();
    }
  }

  function noteClosed({ id, roundId, text }: Round & { text: string }) {
    setClosed({ id, roundId, text, since: Date.now() });
    ballotDraftNote.remove(meetingId);
  }

  function handleLiveChange(previous: LiveState | null, next: LiveState) {
    const now = openQuestion(next);
    if (next.status === 'ACTIVE') {
      setHasRun(true);
    }
    if (now) {
      setLastOpenedAt(now.openedAt);
    }
    if (previous === null) {
      const draft = ballotDraftNote.read(meetingId, user.id);
      if (draft && roundKey(draft.questionId, draft.roundId) !== keyOf(now)) {
        // It was closed while this page was not there.
        noteClosed({ id: draft.questionId, roundId: draft.roundId, text: draft.text });
        void refetchMeeting();
      }
      return;
    }
    const before = openQuestion(previous);
    if (mayBeDeclared(previous, next)) {
      recheckResults();
    }
    if (keyOf(before) !== keyOf(now)) {
      setClosed(null);
      if (before !== null && !isVoted(before) && keyOf(before) !== sendingKey) {
        noteClosed(before);
      }
      void refetchMeeting();
      if (now) {
        voteNotes.clearAnswered(meetingId);
        toast.info('New question is now active!');
        if (delivery.state === 'stored') {
          dismiss();
        }
      }
    } else if (now) {
      recheckRegister(previous, next, now);
      if (!isVoted(now) && !isSending && next.voteCount > previous.voteCount) {
        recheck();
      }
    }
    if (previous.status !== 'COMPLETED' && next.status === 'COMPLETED') {
      toast.info('Meeting has ended. Thank you for your participation!');
    }
  }

  function handleStored({ ballot, castAt }: Extract<Delivery, { state: 'stored' }>) {
    setStoredRounds((rounds) => new Set(rounds).add(roundKey(ballot.questionId, ballot.roundId)));
    voteNotes.add(meetingId, {
      id: ballot.questionId,
      text: ballot.text,
      type: ballot.type,
      userAnswers: ballot.answers,
      answeredAt: castAt ?? new Date().toISOString(),
    });
    toast.success('Vote submitted successfully!');
    void refetchMeeting();
  }

  function handleRefused({ refusal }: Extract<Delivery, { state: 'refused' }>) {
    if (refusal !== 'invalid_ballot') {
      // The server knows better than this page what holds.
      void refetchMeeting();
      void live.refresh();
    }
  }

  const askAnew = useEffectEvent(() => {
    void refetchMeeting();
    void live.refresh();
  });
  useEffect(() => voteNotes.watch(meetingId, askAnew), [meetingId]);

  const hasState = live.state !== null;
  const refreshAfterBreak = useEffectEvent(() => {
    if (hasState && fetched.meeting !== undefined) {
      void refetchMeeting();
      recheckResults();
    }
  });
  const isConnected = isReachable(live.status);
  useEffect(() => {
    if (isConnected) {
      refreshAfterBreak();
    }
  }, [isConnected]);

  useEffect(() => {
    if (isVotedNow) {
      // On another device or in another tab: what was chosen here is of no use any more.
      ballotDraftNote.remove(meetingId);
    }
  }, [isVotedNow, meetingId]);

  const paper = isSending ? handedIn : current && !isVotedNow ? current : null;
  const isOutsideRegister = !isSending && paper !== null && isKeptOut(fetchedQuestion(paper));
  const votedAt = fetched.meeting?.questions.map((question) => question.votedAt) ?? [];
  // Without the live state it is not known whether a question is open.
  const latest = live.state === null ? null : latestResult(results, [lastOpenedAt, ...votedAt]);
  const closedQuestion = closed === null ? undefined : fetchedQuestion(closed);
  const hasMissed =
    closed !== null &&
    closedQuestion?.hasVoted !== true &&
    closedQuestion?.isInRegister !== false &&
    // The result says what was counted.
    latest?.result.roundId !== closed.roundId;

  return {
    live,
    delivery,
    paper: isOutsideRegister ? null : paper,
    drafted: current === null ? [] : draftedOn(current),
    voted: current && isVotedNow ? current : null,
    isNextOpen: isSending && current !== null && keyOf(current) !== sendingKey,
    results,
    latest,
    isOutsideRegister,
    missed: hasMissed ? { text: closed.text, isCertain: fetched.at > closed.since } : null,
    draft: ({ id, roundId, text }, answers) => {
      if (answers.length === 0) {
        ballotDraftNote.remove(meetingId);
      } else {
        ballotDraftNote.save(meetingId, { userId: user.id, questionId: id, roundId, text, answers });
      }
    },
    submit: (question, answers) => {
      if (keyOf(current) !== keyOf(question)) {
        toast.error('No active question');
        return;
      }
      setHandedIn(question);
      setClosed(null);
      deliver(toBallot(question, answers));
      ballotDraftNote.remove(meetingId);
    },
    setAside,
    reset: (questionId) =>
      resetVote.mutate(questionId, {
        onSuccess: () => {
          voteNotes.clear(meetingId);
          setStoredRounds(new Set());
          dismiss();
          void live.refresh();
        },
        onError: () => toast.error('Reset failed, but you can try again'),
      }),
    isResetting: resetVote.isPending,
    hasRun,
  };

  function draftedOn(question: Round): string[] {
    const draft = ballotDraftNote.read(meetingId, user.id);
    const isOfThis = draft !== null && roundKey(draft.questionId, draft.roundId) === keyOf(question);
    return isOfThis ? draft.answers : [];
  }
}
