import type { CastOn, VoterQuestion } from '../../../api/types';
import type { Ballot } from '../../../shared/ballot/ballot';
import type { AnsweredQuestion } from '../../../shared/storage';

export interface GivenAnswer {
  questionId: string;
  text: string;
  type: Ballot['type'];
  orderIndex: number | null;
  answers: string[];
  castAt: string | null;
  castOn: CastOn | null;
  votedByProxy: boolean;
  /** In a secret question: its round, the receipt until the urn is opened, and whether the vote is void. */
  sealed: { roundId: string; receipt: string | null; isVoid: boolean } | null;
}

const TYPES: Ballot['type'][] = [
  'SINGLE_CHOICE',
  'MULTIPLE_CHOICE',
  'RATING',
  'TEXT',
  'PERCENTAGE',
  'ELECTION',
];

function sealedPart({ secrecy, roundId, receipt, isVoid }: VoterQuestion): GivenAnswer['sealed'] {
  return secrecy === 'secret' ? { roundId, receipt, isVoid } : null;
}

function isOf(note: AnsweredQuestion, { id, roundId }: VoterQuestion): boolean {
  return note.id === id && note.roundId === roundId;
}

/**
 * The answers of this voter, in the order of the agenda. The server's data take precedence over this device's notes. For a
 * question in the fetched data, a note counts only if it is of the same round: the vote in a re-vote may come from elsewhere.
 */
export function givenAnswers(questions: VoterQuestion[], notes: AnsweredQuestion[]): GivenAnswer[] {
  const known = new Set(questions.map(({ id }) => id));
  const fetched = questions
    .filter(({ hasVoted }) => hasVoted)
    .map((question) => ({
      questionId: question.id,
      text: question.text,
      type: question.type,
      orderIndex: question.orderIndex,
      answers: question.userVote ?? notes.find((note) => isOf(note, question))?.userAnswers ?? [],
      castAt: question.votedAt,
      castOn: question.castOn,
      votedByProxy: question.votedByProxy,
      sealed: sealedPart(question),
    }));
  const noted = notes
    .filter(({ id }) => !known.has(id))
    .map((note) => ({
      questionId: note.id,
      text: note.text,
      type: TYPES.find((type) => type === note.type) ?? ('TEXT' as const),
      orderIndex: null,
      answers: note.userAnswers,
      castAt: note.answeredAt,
      castOn: null,
      votedByProxy: false,
      sealed: null,
    }));
  return [...fetched.sort((left, right) => left.orderIndex - right.orderIndex), ...noted];
}
