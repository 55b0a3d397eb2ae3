import * as z from 'zod/mini';
import type {
  CreateQuestionBody,
  DecisionRule,
  OptionRole,
  Question,
  QuestionType,
  UpdateQuestionBody,
} from '../../api/types';
import { filledUpTo } from '../../shared/form-checks';
import { lookDifferent } from '../../shared/look';
import { type NumberRule, numberOf, numberProblem, wholeNumber } from '../../shared/number-text';
import { presetRoles } from '../../shared/option-roles';
import { hasOptions } from '../../shared/question-types';
import {
  fromQuorum,
  noQuorum,
  type QuorumFields,
  quorumIssues,
  toQuorum,
} from '../../shared/terms/quorum-form';
import { isAlwaysByHeads } from '../../shared/terms/secrecy';
import { hasErrorsAt } from '../../shared/terms/terms-errors';
import { textLength } from '../../shared/text-length';
import { type DecisionFields, decisionIssues, fromRule, noDecision, toRule } from './decision/decision-form';
import {
  candidateNames,
  type ElectionFields,
  electionIssues,
  fromElection,
  newElection,
  toElection,
} from './election/election-form';

export const questionTypes: { value: QuestionType; label: string }[] = [
  { value: 'YES_NO', label: 'Yes/No Question' },
  { value: 'MULTIPLE_CHOICE', label: 'Multiple Choice' },
  { value: 'OPEN_TEXT', label: 'Open Text' },
  { value: 'RATING', label: 'Rating (1-5 Stars)' },
  { value: 'PERCENTAGE', label: 'Percentage (0-100%)' },
  { value: 'ELECTION', label: 'Election' },
];

/** An option in a form. The key identifies it, so that removing one keeps the fields of the others. */
export interface OptionField {
  key: string;
  text: string;
  /** The meaning chosen by the organizer; null while the word or the position decides. */
  role: OptionRole | null;
}

type Answers = Pick<QuestionFormValues, 'questionType' | 'options'>;

let keys = 0;

export function newOption(text: string, role: OptionRole | null = null): OptionField {
  keys += 1;
  return { key: `option-${keys}`, text, role };
}

export function defaultOptions(type: QuestionType): OptionField[] {
  switch (type) {
    case 'YES_NO':
      return ['Yes', 'No'].map((text) => newOption(text));
    case 'MULTIPLE_CHOICE':
      return ['Option 1', 'Option 2', 'Option 3'].map((text) => newOption(text));
    default:
      return [];
  }
}

export const MIN_OPTIONS = 2;
const LONGEST_OPTION = 300;

/** The texts of the options without empty ones. */
export function optionTexts(options: OptionField[]): string[] {
  return filled(options).map(({ text }) => text.trim());
}

function filled(options: OptionField[]): OptionField[] {
  return options.filter(({ text }) => text.trim() !== '');
}

/** The meaning of each option. */
export function rolesOf({ questionType, options }: Answers): OptionRole[] {
  const presets = presetRoles(
    options.map(({ text }) => text),
    questionType,
  );
  return options.map(({ role }, index) => role ?? presets[index] ?? 'choice');
}

/** The meaning of each option that is not empty. */
function optionRoles({ questionType, options }: Answers): OptionRole[] {
  return rolesOf({ questionType, options: filled(options) });
}

/** The number of options that can be elected. An abstention elects nobody. */
export function choiceCount(answers: Answers): number {
  return optionRoles(answers).filter((role) => role === 'choice').length;
}

export const questionFormSchema = z
  .object({
    questionType: z.enum(['YES_NO', 'MULTIPLE_CHOICE', 'OPEN_TEXT', 'RATING', 'PERCENTAGE', 'ELECTION']),
    questionText: filledUpTo(1_000, 'Must not be empty.'),
    options: z.array(
      z.object({
        key: z.string(),
        text: z.string(),
        role: z.nullable(z.enum(['yes', 'no', 'abstain', 'choice'])),
      }),
    ),
    ratingMax: z.enum(['5', '10']),
    /** As typed; empty for no limit. */
    maxChoices: z.string(),
    decision: z.custom<DecisionFields>(),
    election: z.custom<ElectionFields>(),
    quorum: z.custom<QuorumFields>(),
    secrecy: z.enum(['named', 'unshown', 'secret']),
    countsHeads: z.boolean(),
    groupIds: z.array(z.string()),
    /** Null for the weight of the meeting. */
    weightKindId: z.nullable(z.string()),
    secondWeightKindId: z.nullable(z.string()),
  })
  .check(({ value, issues }) => {
    for (const [path, message] of Object.entries(issuesOf(value))) {
      issues.push({ code: 'custom', path: [path], message, input: value });
    }
  });

/** The errors that concern more than one field: all of them, but only the first one of the options. */
function issuesOf(values: Omit<QuestionFormValues, 'questionText'>): Record<string, string> {
  return { ...termsIssues(values), ...choiceIssues(values), ...optionIssues(values) };
}

function optionIssues({
  questionType,
  options,
}: Pick<QuestionFormValues, 'questionType' | 'options'>): Record<string, string> {
  if (!hasOptions(questionType)) {
    return {};
  }
  const texts = optionTexts(options);
  if (texts.length < MIN_OPTIONS) {
    return { options: 'Please provide at least 2 options' };
  }
  if (!lookDifferent(texts)) {
    return { options: 'Each option needs a text of its own' };
  }
  return texts.some((text) => textLength(text) > LONGEST_OPTION)
    ? { options: `An option has at most ${LONGEST_OPTION} characters` }
    : {};
}

/** The number of answers that a voter may tick: at most the number of options without an abstention. */
export function maxChoicesRule(options: OptionField[]): NumberRule {
  const count = Math.max(choiceCount({ questionType: 'MULTIPLE_CHOICE', options }), 1);
  return wholeNumber(count, `Must be a whole number from 1 to ${count}.`);
}

function choiceIssues({
  questionType,
  options,
  maxChoices,
}: Pick<QuestionFormValues, 'questionType' | 'options' | 'maxChoices'>): Record<string, string> {
  const problem =
    questionType === 'MULTIPLE_CHOICE' ? numberProblem(maxChoices, maxChoicesRule(options)) : null;
  return problem === null ? {} : { maxChoices: problem };
}

type Terms = Pick<
  QuestionFormValues,
  'questionType' | 'options' | 'decision' | 'election' | 'quorum' | 'secrecy' | 'secondWeightKindId'
>;

/**
 * Whether the question can have a second weight: sums by two weights of a secret vote would tell more about ballots. A
 * stored one is offered for every type, so that nobody loses it unseen.
 */
export function offersSecondWeight({
  questionType,
  secrecy,
  secondWeightKindId,
}: Pick<Terms, 'questionType' | 'secrecy' | 'secondWeightKindId'>): boolean {
  return secrecy !== 'secret' && (hasOptions(questionType) || secondWeightKindId !== null);
}

/** The reason why no condition can be in a second weight; null if one can. */
function secondWeightProblem(values: Terms): string | null {
  if (values.secrecy === 'secret') {
    return 'A secret vote counts no second weight. Choose another unit.';
  }
  return values.secondWeightKindId === null
    ? 'The question has no second weight. Choose one above, or another unit.'
    : null;
}

/** Whether a condition of the rule can be in the second weight. */
export function hasSecondWeight(values: Terms): boolean {
  return secondWeightProblem(values) === null;
}

/** The errors of the rule and the quorum, by the server's paths. */
function termsIssues(values: Terms): Record<string, string> {
  const ofRule =
    values.questionType === 'ELECTION'
      ? electionIssues(values.election)
      : decisionIssues(values.decision, optionRoles(values), secondWeightProblem(values));
  return { ...ofRule, ...quorumIssues(values.quorum) };
}

export type QuestionFormValues = z.infer<typeof questionFormSchema>;

export function newQuestion(): QuestionFormValues {
  return {
    questionType: 'YES_NO',
    questionText: '',
    options: defaultOptions('YES_NO'),
    ratingMax: '5',
    maxChoices: '',
    election: newElection(),
    groupIds: [],
    weightKindId: null,
    secondWeightKindId: null,
    ...noTerms,
  };
}

/** Whether the rule is complete, so that it can be put in words. */
export function hasSoundRule(values: QuestionFormValues): boolean {
  return !hasErrorsAt(termsIssues(values), 'decisionRule');
}

/** The terms of a new question by default. */
export const noTerms = {
  decision: noDecision,
  quorum: noQuorum,
  secrecy: 'unshown' as const,
  countsHeads: false,
};

export function fromQuestion(question: Question): QuestionFormValues {
  return {
    questionType: question.questionType,
    questionText: question.questionText,
    options: fromOptions(question),
    ratingMax: question.ratingMax === 10 ? '10' : '5',
    maxChoices: question.maxChoices?.toString() ?? '',
    decision: fromRule(question.decisionRule),
    election: electionOf(question),
    quorum: fromQuorum(question.quorum),
    secrecy: question.secrecy,
    countsHeads: question.countsHeads,
    groupIds: question.groupIds,
    weightKindId: question.weightKindId,
    secondWeightKindId: question.secondWeightKindId,
  };
}

function electionOf({ decisionRule, optionsList }: Question): ElectionFields {
  return decisionRule?.kind === 'election'
    ? fromElection(
        decisionRule.election,
        optionsList.map(({ text }) => text),
      )
    : newElection();
}

function fromOptions({ optionsList, questionType }: Question): OptionField[] {
  const presets = presetRoles(
    optionsList.map(({ text }) => text),
    questionType,
  );
  return optionsList.map(({ text, role }, index) => newOption(text, role === presets[index] ? null : role));
}

/** Omitted parts mean none: no rule, no quorum of its own, votes that nobody is shown, and weights. */
export function toCreateQuestionBody(meetingId: string, values: QuestionFormValues): CreateQuestionBody {
  const { maxChoices, decisionRule, quorum, secrecy, countsHeads, ...body } = toUpdateQuestionBody(values);
  return {
    meetingId,
    ...body,
    ...(maxChoices == null ? {} : { maxChoices }),
    ...(decisionRule ? { decisionRule } : {}),
    ...(quorum ? { quorum } : {}),
    ...(secrecy === 'unshown' ? {} : { secrecy }),
    ...(countsHeads ? { countsHeads } : {}),
    ...(values.groupIds.length > 0 ? { groupIds: values.groupIds } : {}),
    ...weightsPart(values, { weightKindId: null, secondWeightKindId: null }),
  };
}

/** The groups, if they are others. */
export function groupsPart(values: QuestionFormValues, before: Question): { groupIds?: string[] } {
  const isSame = [...values.groupIds].sort().join() === [...before.groupIds].sort().join();
  return isSame ? {} : { groupIds: values.groupIds };
}

/** The kinds of weight, if they are others. A question that cannot have a second weight loses it. */
export function weightsPart(
  values: QuestionFormValues,
  before: Pick<Question, 'weightKindId' | 'secondWeightKindId'>,
): Partial<Pick<Question, 'weightKindId' | 'secondWeightKindId'>> {
  const { weightKindId } = values;
  const secondWeightKindId = offersSecondWeight(values) ? values.secondWeightKindId : null;
  return {
    ...(weightKindId === before.weightKindId ? {} : { weightKindId }),
    ...(secondWeightKindId === before.secondWeightKindId ? {} : { secondWeightKindId }),
  };
}

/** The same without the meeting, the groups and the weights. Cleared values are sent as null, so that the old ones are deleted. */
export function toUpdateQuestionBody(values: QuestionFormValues) {
  const maxChoices = numberOf(values.maxChoices, maxChoicesRule(values.options));
  return {
    questionText: values.questionText.trim(),
    questionType: values.questionType,
    // As in the specification: every question is sent as required, and options as a JSON text.
    isRequired: true,
    ...optionsPart(values),
    ...(isRead(values) ? {} : { optionRoles: optionRoles(values) }),
    ...(values.questionType === 'RATING'
      ? { ratingMax: values.ratingMax === '10' ? (10 as const) : (5 as const) }
      : {}),
    ...(values.questionType === 'MULTIPLE_CHOICE'
      ? { maxChoices: Number.isNaN(maxChoices) ? null : maxChoices }
      : {}),
    decisionRule: ruleOf(values),
    quorum: toQuorum(values.quorum),
    secrecy: values.secrecy,
    countsHeads: values.countsHeads || isAlwaysByHeads(values),
  } satisfies UpdateQuestionBody;
}

function optionsPart({ questionType, options, election }: QuestionFormValues) {
  if (questionType === 'ELECTION') {
    return { options: JSON.stringify(candidateNames(election)) };
  }
  return hasOptions(questionType) ? { options: JSON.stringify(optionTexts(options)) } : {};
}

/** The rule of the question; null without one. */
export function ruleOf({ questionType, decision, election }: QuestionFormValues): DecisionRule | null {
  return questionType === 'ELECTION'
    ? { kind: 'election', election: toElection(election) }
    : toRule(decision);
}

/** Whether the server needs no roles: there are no options, or their words tell the meaning. */
function isRead({ questionType, options }: QuestionFormValues): boolean {
  switch (questionType) {
    case 'YES_NO':
      return optionTexts(options).join() === 'Yes,No' && isPreset(options);
    case 'MULTIPLE_CHOICE':
      return isPreset(options);
    default:
      return true;
  }
}

function isPreset(options: OptionField[]): boolean {
  return options.every(({ role }) => role === null);
}
