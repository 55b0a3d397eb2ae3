import type { VoterMeeting, VoterResult } from '../../../api/types';
import type { Ballot } from '../../../shared/ballot/ballot';
import type { ElectionMethod, ElectionResult, MarksKind } from '../../../shared/elections/election-types';
import { markTexts } from '../../../shared/elections/marks';
import { PERCENT_SIGN } from '../../../shared/format';
import { flag } from '../../../shared/shape';
import { device, readNote, writeNote } from '../../../shared/storage';
import type { Delivery } from '../ballot/ballot-delivery';
import { BY_HOLDER } from '../cast-elsewhere';
import { HIDDEN_ANSWER } from '../hidden-answer';

type Result = VoterResult['result'];

/** This voter's answer in the round, as a sentence. */
export function ownVoteWords(vote: VoterResult, meeting: VoterMeeting | undefined): string {
  const { result, ownVote } = vote;
  const fetched = meeting?.questions.find(({ roundId }) => roundId === result.roundId);
  const voted = fetched?.votedByProxy ? BY_HOLDER : 'You voted';
  if (ownVote !== null) {
    const sign = result.questionType === 'PERCENTAGE' ? PERCENT_SIGN : '';
    const words = result.election ? electionWords(result.election, ownVote) : ownVote;
    return `${voted}: ${words.map((answer) => `${answer}${sign}`).join(', ')}`;
  }
  if (vote.hasVoted) {
    if (result.secrecy === 'secret') {
      return `${voted} by secret ballot`;
    }
    return fetched?.votedByProxy ? voted : `${voted}. ${HIDDEN_ANSWER}`;
  }
  if (isLate(result.roundId)) {
    return 'Your vote was not counted: it arrived after the end';
  }
  return fetched?.isInRegister === false ? 'You had no vote on this question' : 'You did not vote';
}

const lateKey = (roundId: string | null) => `late_${roundId}`;

/** Notes on this device that the voter's ballot in a round came too late. */
export function noteLate({ ballot, refusal, counted }: Extract<Delivery, { state: 'refused' }>): void {
  if (counted === null) {
    noteLateIn(ballot.roundId, refusal);
  }
}

/** Notes it if the server's code says so. */
export function noteLateIn(roundId: string | null, code: string | null): void {
  if (code === 'round_not_open' || code === 'round_over') {
    writeNote(device, lateKey(roundId), true);
  }
}

function isLate(roundId: string): boolean {
  return readNote(device, lateKey(roundId), flag) !== null;
}

const MARKS: Partial<Record<ElectionMethod, MarksKind>> = {
  per_candidate: 'answers',
  plurality: 'choices',
  approval: 'choices',
  cumulative: 'points',
  score: 'points',
  lists: 'list',
};

/** The marks of a recorded ballot: one text in the notation of the count, "1:3 2:1". */
function electionWords({ method, candidates, lists }: ElectionResult, written: string[]): string[] {
  return markTexts(
    {
      marks: MARKS[method] ?? 'ranking',
      // Only whether there is a sum matters.
      votes: method === 'cumulative' ? 1 : null,
      candidates,
      // It is the last of the candidates of a result.
      noneOfTheAbove: null,
      lists: lists?.map(({ list: number, name }) => ({ number, name })) ?? [],
    },
    written.join(' ').split(' '),
  );
}

const TYPES: Record<Result['questionType'], Ballot['type']> = {
  YES_NO: 'SINGLE_CHOICE',
  MULTIPLE_CHOICE: 'MULTIPLE_CHOICE',
  OPEN_TEXT: 'TEXT',
  RATING: 'RATING',
  PERCENTAGE: 'PERCENTAGE',
  ELECTION: 'ELECTION',
};

/** The type of a question, by the names for voters. */
export function ballotTypeOf(result: Result): Ballot['type'] {
  return TYPES[result.questionType];
}
