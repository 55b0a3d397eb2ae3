import * as z from 'zod/mini';
import type {
  CreateQuestionBody,
  OptionRole,
  Question,
  QuestionType,
  UpdateQuestionBody,
} from '../../api/types';
import { filledUpTo } from '../../shared/form-checks';
import { type NumberRule, numberOf, numberProblem, wholeNumber } from '../../shared/number-text';
import {
  fromQuorum,
  noQuorum,
  type QuorumFields,
  quorumIssues,
  toQuorum,
} from '../../shared/terms/quorum-form';
import { hasErrorsAt } from '../../shared/terms/terms-errors';
import { textLength } from '../../shared/text-length';
import { type DecisionFields, decisionIssues, fromRule, noDecision, toRule } from './decision/decision-form';
import { presetRoles } from './options/option-roles';

export const questionTypes: { value: QuestionType; label: string }[] = [
  { value: 'YES_NO', label: 'Yes/No Question' },
  { value: 'MULTIPLE_CHOICE', label: 'Multiple Choice' },
  { value: 'OPEN_TEXT', label: 'Open Text' },
  { value: 'RATING', label: 'Rating (1-5 Stars)' },
  { value: 'PERCENTAGE', label: 'Percentage (0-100%)' },
];

/** Options have an identity of their own while they are edited, so that removing one keeps the others' fields. */
export interface OptionField {
  key: string;
  text: string;
  /** What somebody said that it means; null as long as its word or its place decides. */
  role: OptionRole | null;
}

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

export function hasOptions(type: QuestionType): boolean {
  return type === 'YES_NO' || type === 'MULTIPLE_CHOICE';
}

export const MIN_OPTIONS = 2;
const LONGEST_OPTION = 300;

/** What is left of the options once empty ones are dropped. */
export function optionTexts(options: OptionField[]): string[] {
  return filled(options).map(({ text }) => text.trim());
}

function filled(options: OptionField[]): OptionField[] {
  return options.filter(({ text }) => text.trim() !== '');
}

/** What each option of a yes/no question means. */
export function rolesOf(options: OptionField[]): OptionRole[] {
  const presets = presetRoles(options.map(({ text }) => text));
  return options.map(({ role }, index) => role ?? presets[index] ?? 'choice');
}

/** What each option that is not empty means; nothing for options that only are choices. */
function optionRoles({ questionType, options }: Pick<QuestionFormValues, 'questionType' | 'options'>) {
  const chosen = filled(options);
  return questionType === 'YES_NO' ? rolesOf(chosen) : chosen.map((): OptionRole => 'choice');
}

export const questionFormSchema = z
  .object({
    questionType: z.enum(['YES_NO', 'MULTIPLE_CHOICE', 'OPEN_TEXT', 'RATING', 'PERCENTAGE']),
    questionText: filledUpTo(1_000, 'Must not be empty.'),
    options: z.array(
      z.object({
        key: z.string(),
        text: z.string(),
        role: z.nullable(z.enum(['yes', 'no', 'abstain', 'choice'])),
      }),
    ),
    ratingMax: z.enum(['5', '10']),
    /** As it was typed; empty for no limit. */
    maxChoices: z.string(),
    decision: z.custom<DecisionFields>(),
    quorum: z.custom<QuorumFields>(),
    isNamed: z.boolean(),
  })
  .check(({ value, issues }) => {
    for (const [path, message] of Object.entries(issuesOf(value))) {
      issues.push({ code: 'custom', path: [path], message, input: value });
    }
  });

/** What is wrong beyond a single field: all of it at once, and of the options what comes first. */
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
  if (new Set(texts.map((text) => text.toLowerCase())).size < texts.length) {
    return { options: 'Each option needs a text of its own' };
  }
  return texts.some((text) => textLength(text) > LONGEST_OPTION)
    ? { options: `An option has at most ${LONGEST_OPTION} characters` }
    : {};
}

/** How many answers a voter may tick: at most as many as there are. */
export function maxChoicesRule(options: OptionField[]): NumberRule {
  const count = Math.max(optionTexts(options).length, MIN_OPTIONS);
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

/** What is wrong with the rule and the quorum, by the place that the server would name. */
function termsIssues(
  values: Pick<QuestionFormValues, 'questionType' | 'options' | 'decision' | 'quorum'>,
): Record<string, string> {
  return { ...decisionIssues(values.decision, optionRoles(values)), ...quorumIssues(values.quorum) };
}

export type QuestionFormValues = z.infer<typeof questionFormSchema>;

export function newQuestion(): QuestionFormValues {
  return {
    questionType: 'YES_NO',
    questionText: '',
    options: defaultOptions('YES_NO'),
    ratingMax: '5',
    maxChoices: '',
    ...noTerms,
  };
}

/** Whether the rule can be put in words already. */
export function hasSoundRule(values: QuestionFormValues): boolean {
  return !hasErrorsAt(termsIssues(values), 'decisionRule');
}

/** What a question has that was made without a thought of it. */
export const noTerms = { decision: noDecision, quorum: noQuorum, isNamed: false };

export function fromQuestion(question: Question): QuestionFormValues {
  return {
    questionType: question.questionType,
    questionText: question.questionText,
    options: fromOptions(question),
    ratingMax: question.ratingMax === 10 ? '10' : '5',
    maxChoices: question.maxChoices?.toString() ?? '',
    decision: fromRule(question.decisionRule),
    quorum: fromQuorum(question.quorum),
    isNamed: question.isNamed,
  };
}

function fromOptions({ optionsList }: Question): OptionField[] {
  const presets = presetRoles(optionsList.map(({ text }) => text));
  return optionsList.map(({ text, role }, index) => newOption(text, role === presets[index] ? null : role));
}

/** What is left out is none: no rule, no quorum of its own, and a vote that is secret. */
export function toCreateQuestionBody(meetingId: string, values: QuestionFormValues): CreateQuestionBody {
  const { maxChoices, decisionRule, quorum, isNamed, ...body } = toUpdateQuestionBody(values);
  return {
    meetingId,
    ...body,
    ...(maxChoices == null ? {} : { maxChoices }),
    ...(decisionRule ? { decisionRule } : {}),
    ...(quorum ? { quorum } : {}),
    ...(isNamed ? { isNamed } : {}),
  };
}

/** The same without the meeting; what was emptied is sent as nothing, so that the old one goes. */
export function toUpdateQuestionBody(values: QuestionFormValues) {
  const maxChoices = numberOf(values.maxChoices, maxChoicesRule(values.options));
  return {
    questionText: values.questionText.trim(),
    questionType: values.questionType,
    // The spec: every question is sent as required, and options as a JSON text.
    isRequired: true,
    ...(hasOptions(values.questionType) ? { options: JSON.stringify(optionTexts(values.options)) } : {}),
    ...(isRead(values) ? {} : { optionRoles: optionRoles(values) }),
    ...(values.questionType === 'RATING'
      ? { ratingMax: values.ratingMax === '10' ? (10 as const) : (5 as const) }
      : {}),
    ...(values.questionType === 'MULTIPLE_CHOICE'
      ? { maxChoices: Number.isNaN(maxChoices) ? null : maxChoices }
      : {}),
    decisionRule: toRule(values.decision),
    quorum: toQuorum(values.quorum),
    isNamed: values.isNamed,
  } satisfies UpdateQuestionBody;
}

/** Whether the server needs no word on what the options mean: there is nothing to mean, or plainly yes and no. */
function isRead({ questionType, options }: QuestionFormValues): boolean {
  return questionType !== 'YES_NO' || (optionTexts(options).join() === 'Yes,No' && isPreset(options));
}

function isPreset(options: OptionField[]): boolean {
  return options.every(({ role }) => role === null);
}
