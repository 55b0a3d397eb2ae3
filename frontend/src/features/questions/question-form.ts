import * as z from 'zod/mini';
import type { CreateQuestionBody, QuestionType } from '../../api/types';

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

export const createQuestionFormSchema = z
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
        return new Set(texts).size === texts.length;
      },
      { path: ['options'], error: 'Each option needs a text of its own' },
    ),
  );

export type CreateQuestionFormValues = z.infer<typeof createQuestionFormSchema>;

export function toCreateQuestionBody(
  meetingId: string,
  values: CreateQuestionFormValues,
): CreateQuestionBody {
  const maxChoices = Number.parseInt(String(values.maxChoices), 10);
  return {
    meetingId,
    questionText: values.questionText.trim(),
    questionType: values.questionType,
    // The spec: every question is sent as required, and options as a JSON text.
    isRequired: true,
    ...(hasOptions(values.questionType) ? { options: JSON.stringify(optionTexts(values.options)) } : {}),
    ...(values.questionType === 'RATING' ? { ratingMax: Number(values.ratingMax) } : {}),
    ...(values.questionType === 'MULTIPLE_CHOICE' && !Number.isNaN(maxChoices) ? { maxChoices } : {}),
  };
}
