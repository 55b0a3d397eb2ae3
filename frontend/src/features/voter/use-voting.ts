import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../api/types';
import type { LiveQuestion, LiveState } from '../../shared/live/live-events';
import type { Live } from '../../shared/live/use-live-connection';
import { useLiveMeeting } from '../../shared/live/use-live-meeting';
import { voteNotes } from '../../shared/storage';
import { toast } from '../../shared/ui/toast';
import { type BallotQuestion, roundKey, toBallot } from './ballot';
import type { Delivery } from './ballot-delivery';
import { useResetVote } from './mutations';
import { voterQueries } from './queries';
import { useBallotDelivery } from './use-ballot-delivery';

export interface Voting {
  live: Live<LiveState>;
  delivery: Delivery;
  /** The ballot paper to show: the open question, or the one that is being handed in. */
  paper: BallotQuestion | null;
  /** The open question, where this voter's vote on it is stored. */
  voted: LiveQuestion | null;
  /** Another question opened while a ballot is on its way. */
  isNextOpen: boolean;
  /** A question that closed before this voter had voted on it. */
  missed: string | null;
  submit: (question: BallotQuestion, answers: string[]) => void;
  reset: (questionId: string) => void;
  isResetting: boolean;
}

function openQuestion(state: LiveState | null): LiveQuestion | null {
  return state?.currentQuestion?.isActive ? state.currentQuestion : null;
}

function keyOf(question: { id: string; roundId: string | null } | null): string | null {
  return question && roundKey(question.id, question.roundId);
}

/** What happens between a voter and the meeting: questions come and go, and one ballot at a time is handed in. */
export function useVoting(meetingId: string, user: User): Voting {
  const queryClient = useQueryClient();
  /** Rounds whose vote the server confirmed to this page; the live state tells of it with its next whole. */
  const [storedRounds, setStoredRounds] = useState<ReadonlySet<string>>(new Set());
  /** Kept apart from the live state, so that a new question does not take the place of this paper. */
  const [handedIn, setHandedIn] = useState<BallotQuestion | null>(null);
  const [missed, setMissed] = useState<string | null>(null);

  const live = useLiveMeeting(meetingId, {
    onChange: handleLiveChange,
    onServerError: (message) => toast.error(message || 'Connection error'),
  });
  const { delivery, deliver, dismiss } = useBallotDelivery({
    meetingId,
    userId: user.id,
    live,
    onStored: handleStored,
    onRefused: handleRefused,
  });
  const resetVote = useResetVote(meetingId);

  const current = openQuestion(live.state);
  const isSending = delivery.state === 'sending';
  const sendingKey = isSending ? roundKey(delivery.ballot.questionId, delivery.ballot.roundId) : null;

  function isVoted(question: LiveQuestion): boolean {
    return question.hasVoted || storedRounds.has(roundKey(question.id, question.roundId));
  }

  function refetchMeeting() {
    return queryClient.invalidateQueries({ queryKey: voterQueries.meeting(meetingId).queryKey });
  }

  function handleLiveChange(previous: LiveState | null, next: LiveState) {
    if (previous === null) {
      return;
    }
    const before = openQuestion(previous);
    const now = openQuestion(next);
    if (keyOf(before) !== keyOf(now)) {
      const isMissed = before !== null && !isVoted(before) && keyOf(before) !== sendingKey;
      setMissed(isMissed ? before.text : null);
      void refetchMeeting();
      if (now) {
        voteNotes.clearAnswered(meetingId);
        toast.info('New question is now active!');
        if (delivery.state === 'stored') {
          dismiss();
        }
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

  return {
    live,
    delivery,
    paper: isSending ? handedIn : current && !isVoted(current) ? current : null,
    voted: current && isVoted(current) ? current : null,
    isNextOpen: isSending && current !== null && keyOf(current) !== sendingKey,
    missed,
    submit: (question, answers) => {
      if (keyOf(current) !== keyOf(question)) {
        toast.error('No active question');
        return;
      }
      setHandedIn(question);
      setMissed(null);
      deliver(toBallot(question, answers));
    },
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
  };
}
