import type { LiveQuestion, LiveState } from '../../../shared/live/live-events';
import { serverNow } from '../../../shared/live/server-clock';

/** A round may be ended a moment before this screen's idea of the server's time says so. */
const SLACK_MS = 1_000;

/** Whether the round that was open closed by itself, as its countdown was over. */
export function closedByItself(previous: LiveState | null, next: LiveState): boolean {
  const before = previous?.currentQuestion;
  const now = next.currentQuestion;
  return (
    before?.isActive === true &&
    before.closesAt !== null &&
    // First the round is over, then its question is shown again without it.
    (now === null || (now.id === before.id && !now.isActive)) &&
    serverNow() >= Date.parse(before.closesAt) - SLACK_MS
  );
}

/** Describes the step of another screen. */
export function changedWords(previous: LiveState, next: LiveState): string {
  return `Changed on another screen: ${nowWords(previous, next)}.`;
}

function nowWords(previous: LiveState, { status, currentQuestion }: LiveState): string {
  if (status !== previous.status) {
    return status === 'ACTIVE' ? 'the meeting was started' : 'the meeting is not running any more';
  }
  if (currentQuestion === null) {
    return previous.currentQuestion === null ? 'a result was declared' : 'the question was ended';
  }
  const { orderIndex, isActive, closesAt, roundId } = currentQuestion;
  const before = previous.currentQuestion;
  if (before !== null && isSame(before, currentQuestion)) {
    return 'a result was declared';
  }
  if (isActive && before?.isActive && before.roundId === roundId) {
    return closesAt === null ? 'the countdown was cancelled' : 'a countdown was set';
  }
  return `voting on question ${orderIndex} is ${isActive ? 'open now' : 'not open, and it is on the screen'}`;
}

/** Whether the current question is unchanged. Declaring is the one step that leaves it so. */
function isSame(before: LiveQuestion, now: LiveQuestion): boolean {
  return (
    before.id === now.id &&
    before.isActive === now.isActive &&
    before.roundId === now.roundId &&
    before.closesAt === now.closesAt
  );
}
