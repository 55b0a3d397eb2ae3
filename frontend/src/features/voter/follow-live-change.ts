import { roundKey } from '../../shared/ballot/ballot';
import type { LiveQuestion, LiveState } from '../../shared/live/live-events';
import { ballotDraftNote, voteNotes } from '../../shared/storage';
import { toast } from '../../shared/ui/toast';
import { keyOf, openQuestion } from './open-question';
import { mayBeDeclared } from './results/declared-results';
import type { useClosedRound } from './use-closed-round';
import type { FetchedVotes } from './use-fetched-votes';

interface LiveChangeContext extends Pick<ReturnType<typeof useClosedRound>, 'noteClosed' | 'forgetClosed'> {
  meetingId: string;
  userId: string;
  votes: FetchedVotes;
  /** The round of the ballot that is being sent. */
  sendingKey: string | null;
  /** Called while the meeting is running. */
  onRunning: () => void;
  /** Called while a question is open. */
  onOpened: (question: LiveQuestion) => void;
  /** Called when another question was opened. */
  onNewQuestion: () => void;
}

/** Handles one change of the live state: records closed rounds and fetches outdated data again. */
export function followLiveChange(previous: LiveState | null, next: LiveState, context: LiveChangeContext) {
  const { meetingId, userId, votes, sendingKey, noteClosed, forgetClosed } = context;
  const { onRunning, onOpened, onNewQuestion } = context;
  const now = openQuestion(next);
  if (next.status === 'ACTIVE') {
    onRunning();
  }
  if (now) {
    onOpened(now);
  }
  if (previous === null) {
    const draft = ballotDraftNote.read(meetingId, userId);
    if (draft && roundKey(draft.questionId, draft.roundId) !== keyOf(now)) {
      // It was closed while this page was not loaded.
      noteClosed({ id: draft.questionId, roundId: draft.roundId, text: draft.text });
      votes.recheckStep(next);
    }
    return;
  }
  const before = openQuestion(previous);
  if (mayBeDeclared(previous, next)) {
    votes.recheckResults(next);
  }
  if (keyOf(before) !== keyOf(now)) {
    forgetClosed();
    if (before !== null && !votes.isVoted(before) && keyOf(before) !== sendingKey) {
      noteClosed(before);
    }
    votes.recheckStep(next);
    if (now) {
      voteNotes.clearAnswered(meetingId);
      toast.info('New question is now active!');
      onNewQuestion();
    }
  } else if (isVoid(next) && !isVoid(previous)) {
    votes.recheckStep(next);
  } else if (now) {
    votes.recheckRegister(previous, next, now);
    // A new vote may be this voter's from another device, and a test vote that was taken back as well.
    const more = next.voteCount - previous.voteCount;
    if (sendingKey === null && (votes.isVoted(now) ? more < 0 : more > 0)) {
      votes.recheckLater(next);
    }
  } else if (next.wholeAt !== previous.wholeAt && next.isDelayed === previous.isDelayed) {
    // The planned start may be another one, which the state does not contain.
    votes.recheckLater(next);
  }
  if (previous.status !== 'COMPLETED' && next.status === 'COMPLETED') {
    toast.info('Meeting has ended. Thank you for your participation!');
  }
}

function isVoid({ currentQuestion }: LiveState): boolean {
  return currentQuestion?.isVoid === true;
}
