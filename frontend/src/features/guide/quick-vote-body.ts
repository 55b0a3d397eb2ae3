import * as z from 'zod/mini';
import type { CreateMeetingBody, NewQuestionBody } from '../../api/types';
import { filledUpTo } from '../../shared/form-checks';
import { lookDifferent } from '../../shared/look';
import { majorityConditions } from '../../shared/result/rule-names';
import { textLength } from '../../shared/text-length';

export type Preset = 'yes_no' | 'yes_no_abstain' | 'choice' | 'rating' | 'text';

export const presets: { value: Preset; label: string }[] = [
  { value: 'yes_no', label: 'Yes / No' },
  { value: 'yes_no_abstain', label: 'Yes / No / Abstain' },
  { value: 'choice', label: 'Multiple choice' },
  { value: 'rating', label: 'Rating (1-5 Stars)' },
  { value: 'text', label: 'Open text' },
];

const MAX_OPTIONS = 100;
const LONGEST_OPTION = 300;

export const quickVoteSchema = z
  .object({
    questionText: filledUpTo(1_000, 'Must not be empty.'),
    preset: z.enum(['yes_no', 'yes_no_abstain', 'choice', 'rating', 'text']),
    /** One option a line. */
    options: z.string(),
  })
  .check(({ value, issues }) => {
    const message = value.preset === 'choice' ? optionsProblem(optionLines(value.options)) : null;
    if (message !== null) {
      issues.push({ code: 'custom', path: ['options'], message, input: value });
    }
  });

export type QuickVoteValues = z.infer<typeof quickVoteSchema>;

export const emptyQuickVote: QuickVoteValues = { questionText: '', preset: 'yes_no', options: '' };

function optionLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function optionsProblem(lines: string[]): string | null {
  if (lines.length < 2) {
    return 'Please provide at least 2 options';
  }
  if (lines.length > MAX_OPTIONS) {
    return `At most ${MAX_OPTIONS} options`;
  }
  if (!lookDifferent(lines)) {
    return 'Each option needs a text of its own';
  }
  return lines.some((line) => textLength(line) > LONGEST_OPTION)
    ? `An option has at most ${LONGEST_OPTION} characters`
    : null;
}

function questionOf({ questionText, preset, options }: QuickVoteValues): NewQuestionBody {
  const text = { questionText: questionText.trim() };
  switch (preset) {
    case 'yes_no':
    case 'yes_no_abstain':
      return {
        ...text,
        questionType: 'YES_NO',
        options: preset === 'yes_no' ? ['Yes', 'No'] : ['Yes', 'No', 'Abstain'],
        decisionRule: {
          kind: 'majority',
          conditions: majorityConditions('simple', 'heads'),
          onTie: 'rejected',
        },
      };
    case 'choice':
      return { ...text, questionType: 'MULTIPLE_CHOICE', options: optionLines(options), maxChoices: 1 };
    case 'rating':
      return { ...text, questionType: 'RATING', ratingMax: 5 };
    case 'text':
      return { ...text, questionType: 'OPEN_TEXT' };
  }
}

const LONGEST_TITLE = 200;
const PLANNED_MS = 60 * 60 * 1_000;

/** The first line of the question, as long as a title may be, and with plain blanks only. */
function titleOf(questionText: string): string {
  const [line = ''] = questionText.trim().split(/[\r\n\u2028\u2029]/);
  const characters = [...line.replace(/\s+/g, ' ').trim().normalize('NFC')];
  return characters.length <= LONGEST_TITLE
    ? characters.join('')
    : `${characters
        .slice(0, LONGEST_TITLE - 1)
        .join('')
        .trimEnd()}…`;
}

/** A meeting for everybody that runs from now on, with this single question. */
export function toQuickMeeting(values: QuickVoteValues, now: number): CreateMeetingBody {
  return {
    title: titleOf(values.questionText),
    scheduledStartTime: new Date(now).toISOString(),
    scheduledEndTime: new Date(now + PLANNED_MS).toISOString(),
    status: 'ACTIVE',
    questions: [questionOf(values)],
  };
}
