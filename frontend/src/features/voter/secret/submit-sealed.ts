import { session } from '../../../api/session';
import type { Ballot, BallotQuestion } from '../../../shared/ballot/ballot';
import { sealBallot } from '../../../shared/sealing/seal-ballot';
import { ballotDraftNote, undeliveredBallotNote } from '../../../shared/storage';

export { sealBallot };

interface Submission {
  meetingId: string;
  userId: string;
  question: BallotQuestion;
  answers: string[];
  /** Returns false if the page does not send the ballot. */
  deliver: (ballot: Ballot) => boolean;
}

/**
 * The last submission, by meeting and user. A page that was left while it sealed a ballot learns from it that the voter has
 * submitted another one since. It has no answers: they must not stay in memory.
 */
const latest = new Map<string, symbol>();

/**
 * Seals a ballot and submits it. The voter may leave the page meanwhile: then the device keeps the ballot, which is sent
 * from the list of meetings, or by the page of the meeting: at once if it is open again, otherwise when it is opened. If the
 * voter has submitted another ballot by then, only the newer one is sent.
 */
export async function submitSealed(submission: Submission): Promise<void> {
  const { meetingId, userId, question, answers, deliver } = submission;
  const key = `${meetingId}_${userId}`;
  const own = Symbol();
  latest.set(key, own);
  const ballot = await sealBallot(question, answers, userId);
  let isAccepted = deliver(ballot);
  if (!isAccepted) {
    // A newer submission that waited for the same import may start only in the next task.
    await new Promise((resolve) => setTimeout(resolve));
    isAccepted = latest.get(key) === own && isKept(meetingId, userId, ballot);
  }
  // Another question may have a draft by now.
  if (isAccepted && ballotDraftNote.read(meetingId, userId)?.roundId === ballot.roundId) {
    ballotDraftNote.remove(meetingId);
  }
}

/** Keeps the ballot, but not of a voter who has signed out, and not in place of a ballot that is being sent. */
function isKept(meetingId: string, userId: string, ballot: Ballot): boolean {
  if (session.storedOwner() !== userId || undeliveredBallotNote.read(meetingId, userId) !== null) {
    return false;
  }
  undeliveredBallotNote.save(meetingId, { ...ballot, userId });
  // The browser may refuse storage.
  const isSaved = undeliveredBallotNote.read(meetingId, userId) !== null;
  if (isSaved) {
    // Named by the meeting alone: the page that listens is in the first load, which has no space for more.
    window.dispatchEvent(new Event(meetingId));
  }
  return isSaved;
}
