import type { CreateQuestionBody } from '../../../api/types';

/** A question of a simulated meeting, and the answers of its voters. */
export interface AgendaItem {
  question: Omit<CreateQuestionBody, 'meetingId'>;
  /** Returns the answers of the voter at this position in the list, counted from 0. */
  answersOf: (voter: number) => string[];
  /** The answers as the server tells them and as the result names them, if they are sent in another form. */
  wordsOf?: (answers: string[]) => string[];
}

const MAJORITY_BY_WEIGHT: CreateQuestionBody['decisionRule'] = {
  kind: 'majority',
  conditions: [
    { units: 'weight', base: 'yes_plus_no', comparison: 'more_than', numerator: 1, denominator: 2 },
  ],
  onTie: 'rejected',
};

function takenInTurn<T>(choices: readonly T[]): (voter: number) => T {
  return (voter) => choices[voter % choices.length] as T;
}

/** Two of three voters answer yes. So the question is accepted if the weights are about the same. */
export const YES_OR_NO: AgendaItem = {
  question: {
    questionText: 'TEST_Do you approve the budget?',
    questionType: 'YES_NO',
    options: ['Yes', 'No', 'Abstain'],
    decisionRule: MAJORITY_BY_WEIGHT,
  },
  answersOf: takenInTurn([['Yes'], ['No'], ['Yes'], ['Abstain'], ['Yes']]),
};

export const CHOICE: AgendaItem = {
  question: {
    questionText: 'TEST_Who should be on the board?',
    questionType: 'MULTIPLE_CHOICE',
    options: ['Ada', 'Ben', 'Clara', 'David'],
    maxChoices: 2,
  },
  answersOf: takenInTurn([['Ada'], ['Ben', 'Clara'], ['Clara'], ['Ada', 'Clara']]),
};

/** Weights that few of the voters have would show in the totals, so it counts heads. */
export const SECRET: AgendaItem = {
  question: {
    questionText: 'TEST_Who should take the chair?',
    questionType: 'MULTIPLE_CHOICE',
    options: ['Ada', 'Ben'],
    secrecy: 'secret',
    countsHeads: true,
  },
  answersOf: takenInTurn([['Ada'], ['Ada'], ['Ben']]),
};

const CANDIDATES = ['Ada', 'Ben', 'Clara', 'David'];

/** Everybody votes for Clara, so no tie is possible. */
export const ELECTION: AgendaItem = {
  question: {
    questionText: 'TEST_Who should represent us?',
    questionType: 'ELECTION',
    options: CANDIDATES,
    decisionRule: { kind: 'election', election: { method: 'plurality', seats: 1, mostChoices: 2 } },
  },
  answersOf: takenInTurn([['3'], ['2', '3'], ['1', '3'], ['3', '4']]),
  wordsOf: (marks) => marks.map((number) => CANDIDATES[Number(number) - 1] ?? ''),
};

/** The answers as the server tells them and as the result names them. */
export function wordsOf(item: AgendaItem, answers: string[]): string[] {
  return item.wordsOf?.(answers) ?? answers;
}

export const RATING: AgendaItem = {
  question: { questionText: 'TEST_How good was the report?', questionType: 'RATING', ratingMax: 5 },
  answersOf: takenInTurn([['5'], ['3'], ['4'], ['1']]),
};

export const PERCENTAGE: AgendaItem = {
  question: { questionText: 'TEST_How much of it should be saved?', questionType: 'PERCENTAGE' },
  answersOf: takenInTurn([['10'], ['62.5'], ['100'], ['0']]),
};

export const TEXT: AgendaItem = {
  question: { questionText: 'TEST_What should be better next time?', questionType: 'OPEN_TEXT' },
  answersOf: takenInTurn([['A longer break'], ['More chairs'], ['A longer break'], ['Nothing']]),
};
