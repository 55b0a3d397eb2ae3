import * as z from 'zod/mini';
import type { CreateQuestionBody, Question, QuestionType, UpdateQuestionBody } from '../../api/types';

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
}

let keys = 0;

export function newOption(text: string): OptionField {
  keys += 1;
  return { key: `option-${keys}`, text };
}

export function defaultOptions(type: QuestionType): OptionField[] {
  switch (type) {
    case 'YES_NO':
      return ['Yes', 'No'].map(newOption);
    case 'MULTIPLE_CHOICE':
      return ['Option 1', 'Option 2', 'Option 3'].map(newOption);
    default:
      return [];
  }
}

export function hasOptions(type: QuestionType): boolean {
  return type === 'YES_NO' || type === 'MULTIPLE_CHOICE';
}

export const MIN_OPTIONS = 2;

/** What is left of the options once empty ones are dropped. */
export function optionTexts(options: OptionField[]): string[] {
  return options.map(({ text }) => text.trim()).filter((text) => text !== '');
}

export const questionFormSchema = z
  .object({
    questionType: z.enum(['YES_NO', 'MULTIPLE_CHOICE', 'OPEN_TEXT', 'RATING', 'PERCENTAGE']),
    questionText: z.string(),
    options: z.array(z.object({ key: z.string(), text: z.string() })),
    ratingMax: z.enum(['5', '10']),
    // A number field that was emptied holds '': no limit.
    maxChoices: z.union([z.number(), z.string()]),
  })
  .check(
    z.refine(
      (values) => !hasOptions(values.questionType) || optionTexts(values.options).length >= MIN_OPTIONS,
      {
        path: ['options'],
        error: 'Please provide at least 2 options',
        abort: true,
      },
    ),
    z.refine(
      (values) => {
        const texts = hasOptions(values.questionType) ? optionTexts(values.options) : [];
        return new Set(texts.map((text) => text.toLowerCase())).size === texts.length;
      },
      { path: ['options'], error: 'Each option needs a text of its own' },
    ),
  );

export type QuestionFormValues = z.infer<typeof questionFormSchema>;

export function newQuestion(): QuestionFormValues {
  return {
    questionType: 'YES_NO',
    questionText: '',
    options: defaultOptions('YES_NO'),
    ratingMax: '5',
    maxChoices: '',
  };
}

export function fromQuestion(question: Question): QuestionFormValues {
  return {
    questionType: question.questionType,
    questionText: question.questionText,
    options: question.optionsList.map(({ text }) => newOption(text)),
    ratingMax: question.ratingMax === 10 ? '10' : '5',
    maxChoices: question.maxChoices ?? '',
  };
}

export function toCreateQuestionBody(meetingId: string, values: QuestionFormValues): CreateQuestionBody {
  const { maxChoices, ...body } = toUpdateQuestionBody(values);
  return { meetingId, ...body, ...(maxChoices == null ? {} : { maxChoices }) };
}

/** The same without the meeting; an emptied limit of choices is sent, so that the old one goes. */
export function toUpdateQuestionBody(values: QuestionFormValues) {
  const maxChoices = Number.parseInt(String(values.maxChoices), 10);
  return {
    questionText: values.questionText.trim(),
    questionType: values.questionType,
    // The spec: every question is sent as required, and options as a JSON text.
    isRequired: true,
    ...(hasOptions(values.questionType) ? { options: JSON.stringify(optionTexts(values.options)) } : {}),
    ...(values.questionType === 'RATING' ? { ratingMax: Number(values.ratingMax) } : {}),
    ...(values.questionType === 'MULTIPLE_CHOICE'
      ? { maxChoices: Number.isNaN(maxChoices) ? null : maxChoices }
      : {}),
  } satisfies UpdateQuestionBody;
}
