import type { Result } from '../../api/types';
import type { PresentationState } from '../live/live-events';

/** The phase of the presentation: one at a time, each with a layout of its own. */
export type PresentationPhase =
  | 'notStarted'
  | 'waiting'
  | 'shown'
  | 'open'
  | 'closed'
  | 'declared'
  | 'completed'
  | 'cancelled';

/** Until the declared result is loaded, the question stays unchanged after its voting has closed. */
export function presentationPhase(
  { status, currentQuestion }: PresentationState,
  result: Result | null = null,
): PresentationPhase {
  switch (status) {
    case 'COMPLETED':
      return 'completed';
    case 'CANCELLED':
      return 'cancelled';
    case 'DRAFT':
    case 'SCHEDULED':
      return 'notStarted';
    case 'ACTIVE':
      return currentQuestion ? questionPhase(currentQuestion, result) : 'waiting';
  }
}

function questionPhase(
  question: NonNullable<PresentationState['currentQuestion']>,
  result: Result | null,
): PresentationPhase {
  if (question.isOpen) {
    return 'open';
  }
  if (question.declaredRoundId !== null && question.declaredRoundId === result?.roundId) {
    return 'declared';
  }
  // Voting was open before: the screen still shows the question that was voted on.
  return question.openedAt === null ? 'shown' : 'closed';
}
