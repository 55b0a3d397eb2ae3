import type { LiveQuestion, LiveState } from '../../../shared/live/live-events';
import { serverNow } from '../../../shared/live/server-clock';

/** A tolerance for the difference between this screen's estimate and the server's time. */
const SLACK_MS = 1_000;

/** Whether the open round was closed by its countdown. */
export function closedByItself(previous: LiveState | null, next: LiveState): boolean {
  const before = previous?.currentQuestion;
  const now = next.currentQuestion;
  return (
    before?.isActive === true &&
    before.closesAt !== null &&
    // First the round ends, then its question is shown without it.
    (now === null || (now.id === before.id && !now.isActive)) &&
    serverNow() >= Date.parse(before.closesAt) - SLACK_MS
  );
}

/** Describes a step of another screen. */
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
  return `voting on question ${orderIndex} is ${isActive ? 'open now' : 'not open, and it is on the presentation'}`;
}

/** Whether the current question is unchanged. Only declaring leaves it so. */
function isSame(before: LiveQuestion, now: LiveQuestion): boolean {
  return (
    before.id === now.id &&
    before.isActive === now.isActive &&
    before.roundId === now.roundId &&
    before.closesAt === now.closesAt
  );
}
