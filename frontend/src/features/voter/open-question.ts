import { roundKey } from '../../shared/ballot/ballot';
import type { LiveQuestion, LiveState } from '../../shared/live/live-events';

/** A question in one of its rounds. */
export interface QuestionRound {
  id: string;
  roundId: string | null;
}

/** The question on which voting is open. */
export function openQuestion(state: LiveState | null): LiveQuestion | null {
  return state?.currentQuestion?.isActive ? state.currentQuestion : null;
}

export function keyOf(question: QuestionRound | null): string | null {
  return question && roundKey(question.id, question.roundId);
}
