import { useRef, useState } from 'react';
import { type BallotQuestion, roundKey, toBallot } from '../../shared/ballot/ballot';
import type { LiveState } from '../../shared/live/live-events';
import type { Live } from '../../shared/live/use-live-connection';
import { ballotDraftNote } from '../../shared/storage';
import { toast } from '../../shared/ui/toast';
import type { Delivery } from './ballot/ballot-delivery';
import { noteStored } from './ballot/note-stored';
import { useBallotDelivery } from './ballot/use-ballot-delivery';
import { keyOf, openQuestion } from './open-question';
import { ignore, loadSealing } from './secret/load-sealing';
import type { FetchedVotes } from './use-fetched-votes';

/** The voter needs so long to read an outcome. */
const READ_MS = 5_000;

interface SentBallotOptions {
  meetingId: string;
  userId: string;
  live: Live<LiveState>;
  votes: FetchedVotes;
  onSubmit: () => void;
}

/** The ballot of this page, from its submission to the server's response. */
export function useSentBallot({ meetingId, userId, live, votes, onSubmit }: SentBallotOptions) {
  /** Separate from the live state, so that a new question does not replace this ballot. */
  const [handedIn, setHandedIn] = useState<BallotQuestion | null>(null);
  const [isSealing, setIsSealing] = useState(false);
  const { delivery, deliver, setAside, dismiss } = useBallotDelivery({
    meetingId,
    userId,
    connection: live.status,
    onStored: handleStored,
    onRefused: handleRefused,
  });

  const storedAt = useRef(0);

  function handleStored(stored: Extract<Delivery, { state: 'stored' }>) {
    storedAt.current = Date.now();
    votes.markStored(roundKey(stored.ballot.questionId, stored.ballot.roundId));
    noteStored(meetingId, stored);
  }

  function handleRefused(refused: Extract<Delivery, { state: 'refused' }>) {
    void import('./results/own-vote').then(({ noteLate }) => noteLate(refused), ignore);
    if (refused.refusal !== 'invalid_ballot') {
      // The server's state is more reliable than this page's.
      void votes.refetchMeeting();
      void live.refresh();
    }
  }

  function submit(question: BallotQuestion, answers: string[]) {
    if (keyOf(openQuestion(live.state)) !== keyOf(question)) {
      toast.error('No active question');
      return;
    }
    setHandedIn(question);
    onSubmit();
    if (question.secrecy === 'secret') {
      setIsSealing(true);
      loadSealing()
        .then(({ submitSealed }) => submitSealed({ meetingId, userId, question, answers, deliver }))
        .catch(() => toast.error('Your ballot could not be sealed. Check your connection and try again.'))
        .finally(() => setIsSealing(false));
    } else if (deliver(toBallot(question, answers))) {
      ballotDraftNote.remove(meetingId);
    }
  }

  /** After an outage, the vote is often stored when the next question is already open. That is said above its ballot. */
  function dismissRead() {
    if (delivery.state === 'stored' && Date.now() - storedAt.current > READ_MS) {
      dismiss();
    }
  }

  const sendingKey =
    delivery.state === 'sending' ? roundKey(delivery.ballot.questionId, delivery.ballot.roundId) : null;

  return { delivery, handedIn, sendingKey, isSealing, submit, setAside, dismiss, dismissRead };
}
