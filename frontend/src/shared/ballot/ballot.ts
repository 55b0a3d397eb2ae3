import { isWithinLimits, markTexts } from '../elections/marks';
import { PERCENT_SIGN } from '../format';
import type { LiveQuestion } from '../live/live-events';
import { readPercentage } from '../number-text';
import { textLength } from '../text-length';

/** The part of a question that a ballot needs. */
export type BallotQuestion = Pick<
  LiveQuestion,
  | 'id'
  | 'text'
  | 'type'
  | 'options'
  | 'abstention'
  | 'election'
  | 'ratingMax'
  | 'maxChoices'
  | 'secrecy'
  | 'sealing'
  | 'orderIndex'
  | 'roundId'
  | 'closesAt'
>;

/** A submitted ballot. It never changes, even if it is sent several times. */
export interface Ballot {
  questionId: string;
  roundId: string | null;
  text: string;
  type: LiveQuestion['type'];
  orderIndex: number;
  /** Empty if the device has sealed them. */
  answers: string[];
  /** The answers in words, where they are sent in another notation: in an election. */
  shown?: string[] | undefined;
  /** Only in a secret question. */
  sealed?: SealedBallot | undefined;
}

/** The envelope in base64, and its receipt. Both are null if the server seals, because the browser cannot. */
export interface SealedBallot {
  envelope: string | null;
  receipt: string | null;
}

export function toBallot(question: BallotQuestion, answers: string[]): Ballot {
  return {
    questionId: question.id,
    roundId: question.roundId,
    text: question.text,
    type: question.type,
    orderIndex: question.orderIndex,
    answers,
    ...shownPart(question, answers),
  };
}

/** The words of an election's answers. Other types are sent in words. */
export function shownPart({ election }: BallotQuestion, answers: string[]): Pick<Ballot, 'shown'> {
  return election ? { shown: markTexts(election, answers) } : {};
}

/**
 * The key of a round. Two openings of one question may be two rounds; without a round's id, the question is the key.
 */
export function roundKey(questionId: string, roundId: string | null): string {
  return roundId ?? questionId;
}

const TYPE_LABEL: Record<LiveQuestion['type'], string> = {
  SINGLE_CHOICE: 'Single Choice',
  MULTIPLE_CHOICE: 'Multiple Choice',
  RATING: 'Rating',
  TEXT: 'Text',
  PERCENTAGE: 'Percentage',
  ELECTION: 'Election',
};

export function typeLabel(type: LiveQuestion['type']): string {
  return TYPE_LABEL[type];
}

/** What to do with an empty ballot. */
export function emptyHint(type: LiveQuestion['type']): string {
  switch (type) {
    case 'TEXT':
      return 'Write your answer to vote.';
    case 'ELECTION':
      return 'Mark your ballot to vote.';
    default:
      return 'Select your answer to vote.';
  }
}

/** The longest answer in a voter's own words. */
export const MAX_TEXT = 2_000;

/** Whether the server can accept the answers. The control describes the errors. */
export function areSound(
  { type, election }: Pick<BallotQuestion, 'type' | 'election'>,
  answers: string[],
): boolean {
  if (election) {
    return isWithinLimits(election, answers);
  }
  return answers.every(
    (answer) =>
      answer.trim() === '' ||
      (type === 'PERCENTAGE' && readPercentage(answer) !== null) ||
      (type === 'TEXT' && textLength(answer) <= MAX_TEXT) ||
      (type !== 'PERCENTAGE' && type !== 'TEXT'),
  );
}

/** The submitted answers: without surrounding blanks, a percentage in plain digits ("33,5" as "33.5"). */
export function toAnswers(type: LiveQuestion['type'], answers: string[]): string[] {
  return answers.map((answer) => (type === 'PERCENTAGE' ? readPercentage(answer) : null) ?? answer.trim());
}

/** The answers for display, before they are sent. */
export function answerTexts(question: BallotQuestion, answers: string[]): string[] {
  const { type, election } = question;
  return election
    ? markTexts(election, answers)
    : toAnswers(type, answers).map((answer) => answerText(type, answer));
}

/** An answer for display; a percentage is stored as a plain number. */
export function answerText(type: LiveQuestion['type'], answer: string): string {
  return type === 'PERCENTAGE' ? `${answer}${PERCENT_SIGN}` : answer;
}
