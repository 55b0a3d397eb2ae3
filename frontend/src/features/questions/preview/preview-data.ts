import type { Meeting } from '../../../api/types';
import type { BallotQuestion } from '../../../shared/ballot/ballot';
import type { PresentationState } from '../../../shared/live/live-events';
import { numberOf } from '../../../shared/number-text';
import { hasOptions } from '../../../shared/question-types';
import { toPaper } from '../election/to-paper';
import { maxChoicesRule, optionTexts, type QuestionFormValues, rolesOf } from '../question-form';

/** A question as it is typed, with its place in the agenda. */
export interface Draft {
  values: QuestionFormValues;
  orderIndex: number;
  /** The number of questions, this one included. */
  questionCount: number;
}

const NO_TEXT = 'Your question';

const BALLOT_TYPES = {
  YES_NO: 'SINGLE_CHOICE',
  MULTIPLE_CHOICE: 'MULTIPLE_CHOICE',
  OPEN_TEXT: 'TEXT',
  RATING: 'RATING',
  PERCENTAGE: 'PERCENTAGE',
  ELECTION: 'ELECTION',
} as const;

/** The question as voters will get it. */
export function toBallotQuestion({ values, orderIndex }: Draft): BallotQuestion {
  return {
    id: 'preview',
    type: BALLOT_TYPES[values.questionType],
    secrecy: values.secrecy,
    sealing: null,
    orderIndex,
    roundId: null,
    closesAt: null,
    abstention: abstentionOf(values),
    ...contentOf(values),
  };
}

function abstentionOf({ questionType, options }: QuestionFormValues): string | undefined {
  const place = rolesOf({ questionType, options }).indexOf('abstain');
  return questionType === 'MULTIPLE_CHOICE' ? options[place]?.text.trim() : undefined;
}

/** The presentation while voting on the question is open, before the first vote. */
export function toPresentation(draft: Draft, meeting: Meeting): PresentationState {
  const { values, orderIndex, questionCount } = draft;
  const { text, ...content } = contentOf(values);
  return {
    instance: 'preview',
    version: 0,
    isDelayed: false,
    title: meeting.title,
    description: meeting.description,
    organization: meeting.client.name,
    clientCode: meeting.client.clientCode,
    status: 'ACTIVE',
    scheduledStartTime: meeting.scheduledStartTime,
    scheduledEndTime: meeting.scheduledEndTime,
    currentQuestion: {
      questionText: text,
      questionType: values.questionType,
      ...content,
      secrecy: values.secrecy,
      groups: undefined,
      isOpen: true,
      isVoid: false,
      orderIndex,
      openedAt: null,
      closesAt: null,
      declaredRoundId: null,
      answerWall: null,
    },
    questionCount,
    voteCount: 0,
    registerSize: 0,
    participantCount: 0,
    quorum: null,
    checkIn: null,
    serverTime: undefined,
  };
}

function contentOf(values: QuestionFormValues) {
  const { questionText, questionType, options, ratingMax, maxChoices } = values;
  // While an option is typed, two may be equal for a moment.
  const election = questionType === 'ELECTION' ? toPaper(values.election) : null;
  const typed = hasOptions(questionType)
    ? optionTexts(options)
    : (election?.candidates ?? []).map(({ name }) => name);
  const texts = [...new Set(typed)];
  const limit =
    questionType === 'MULTIPLE_CHOICE' ? numberOf(maxChoices, maxChoicesRule(options)) : Number.NaN;
  return {
    text: questionText.trim() || NO_TEXT,
    options: texts,
    election,
    ratingMax: questionType === 'RATING' ? Number(ratingMax) : null,
    maxChoices: Number.isNaN(limit) ? null : limit,
  };
}
