import type { DeskQuestion, Round } from '../../api/types';
import { answerText, areSound, type BallotQuestion } from '../ballot/ballot';
import type { LiveQuestion } from '../live/live-events';

/** The open question, as tellers and voting places need it. */
export type PaperQuestion = Pick<
  DeskQuestion,
  | 'roundId'
  | 'questionId'
  | 'text'
  | 'type'
  | 'options'
  | 'abstention'
  | 'ratingMax'
  | 'maxChoices'
  | 'election'
  | 'secrecy'
  | 'closesAt'
  | 'sealing'
  | 'weightKind'
>;

/** The question on which voting is open, from the live state of an organizer. The rounds name the kind of its weight. */
export function openPaperQuestion(
  question: LiveQuestion | null | undefined,
  rounds: Pick<Round, 'id' | 'weightKind'>[],
): PaperQuestion | null {
  if (!question?.isActive || question.roundId === null) {
    return null;
  }
  const { roundId } = question;
  const weightKind = rounds.find(({ id }) => id === roundId)?.weightKind ?? null;
  return { ...question, questionId: question.id, roundId, weightKind };
}

/** The question for the controls of a ballot. */
export function ballotQuestion(question: PaperQuestion): BallotQuestion {
  return { ...question, id: question.questionId, orderIndex: 0 };
}

/** Whether a ballot can be added or cast. */
export function isFilled(question: PaperQuestion, answers: string[]): boolean {
  return answers.some((answer) => answer.trim() !== '') && areSound(question, answers);
}

/** The answers of a stored batch for display. Those of an election are sent in words. */
export function storedTexts({ type }: PaperQuestion, answers: string[]): string[] {
  return answers.map((answer) => answerText(type, answer));
}
