import { PERCENT_SIGN } from '../../../shared/format';
import type { LiveQuestion } from '../../../shared/live/live-events';
import { readPercentage } from '../../../shared/number-text';
import { textLength } from '../../../shared/text-length';

/** The part of a question that a ballot is made on. */
export type BallotQuestion = Pick<
  LiveQuestion,
  | 'id'
  | 'text'
  | 'type'
  | 'options'
  | 'ratingMax'
  | 'maxChoices'
  | 'isNamed'
  | 'orderIndex'
  | 'roundId'
  | 'closesAt'
>;

/** What a voter hands in. It does not change any more, however often it has to be sent. */
export interface Ballot {
  questionId: string;
  roundId: string | null;
  text: string;
  type: LiveQuestion['type'];
  orderIndex: number;
  answers: string[];
}

export function toBallot(question: BallotQuestion, answers: string[]): Ballot {
  return {
    questionId: question.id,
    roundId: question.roundId,
    text: question.text,
    type: question.type,
    orderIndex: question.orderIndex,
    answers,
  };
}

/** Two openings of one question may be two rounds; where no round is named, there is the question alone. */
export function roundKey(questionId: string, roundId: string | null): string {
  return roundId ?? questionId;
}

const TYPE_LABEL: Record<LiveQuestion['type'], string> = {
  SINGLE_CHOICE: 'Single Choice',
  MULTIPLE_CHOICE: 'Multiple Choice',
  RATING: 'Rating',
  TEXT: 'Text',
  PERCENTAGE: 'Percentage',
};

export function typeLabel(type: LiveQuestion['type']): string {
  return TYPE_LABEL[type];
}

/** The longest answer in a voter's own words. */
export const MAX_TEXT = 2_000;

/** Whether the server can take what stands on the paper. Its control says what is wrong. */
export function areSound(type: LiveQuestion['type'], answers: string[]): boolean {
  return answers.every(
    (answer) =>
      answer.trim() === '' ||
      (type === 'PERCENTAGE' && readPercentage(answer) !== null) ||
      (type === 'TEXT' && textLength(answer) <= MAX_TEXT) ||
      (type !== 'PERCENTAGE' && type !== 'TEXT'),
  );
}

/** What is handed in: the answers without blanks around them, a percentage in plain digits ("33,5" as "33.5"). */
export function toAnswers(type: LiveQuestion['type'], answers: string[]): string[] {
  return answers.map((answer) => (type === 'PERCENTAGE' ? readPercentage(answer) : null) ?? answer.trim());
}

/** An answer as it is read; the stored text of a percentage is a bare number. */
export function answerText(type: LiveQuestion['type'], answer: string): string {
  return type === 'PERCENTAGE' ? `${answer}${PERCENT_SIGN}` : answer;
}
