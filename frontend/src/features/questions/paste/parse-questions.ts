import type { NewQuestionBody, QuestionType } from '../../../api/types';
import { lookDifferent } from '../../../shared/look';
import { roleOfWord } from '../../../shared/option-roles';
import { majorityConditions } from '../../../shared/result/rule-names';
import { textLength } from '../../../shared/text-length';

/** A question that was found in a pasted text. */
export interface PastedQuestion {
  /** The line of the question, from 1. */
  line: number;
  text: string;
  type: QuestionType;
  options: string[];
}

interface Parsed {
  questions: PastedQuestion[];
  /** What is wrong, each with its line. */
  problems: string[];
}

export const MAX_QUESTIONS = 100;
const LONGEST_QUESTION = 1_000;
const MAX_OPTIONS = 100;
const LONGEST_OPTION = 300;

const OPTION = /^\s*[-*•–]\s+(.*)$/;
const NUMBER = /^\s*\d{1,3}[.)]\s+/;
const TAG = /\s*\[(open text|rating|percentage)\]\s*$/i;
const TAGGED: Record<string, QuestionType> = {
  'open text': 'OPEN_TEXT',
  rating: 'RATING',
  percentage: 'PERCENTAGE',
};

/** Reads questions: each line is one, and lines that begin with a dash are the options of the question above them. */
export function parseQuestions(pasted: string): Parsed {
  const found: PastedQuestion[] = [];
  const problems: string[] = [];
  pasted.split(/\r\n|\r|\n/).forEach((text, index) => {
    const line = index + 1;
    if (text.trim() === '') {
      return;
    }
    const option = OPTION.exec(text)?.[1]?.trim();
    const above = found.at(-1);
    if (option === undefined) {
      found.push(questionAt(line, text));
    } else if (!above) {
      problems.push(`Line ${line}: an option needs a question above it.`);
    } else {
      above.options.push(option);
    }
  });
  const questions = found.map((question) => ({ ...question, type: typeOf(question) }));
  return {
    questions,
    problems: [...problems, ...countProblems(questions), ...questions.flatMap(problemsOf)],
  };
}

function questionAt(line: number, text: string): PastedQuestion {
  const [, tag = ''] = TAG.exec(text) ?? [];
  return {
    line,
    text: text.replace(TAG, '').replace(NUMBER, '').trim(),
    type: TAGGED[tag.toLowerCase()] ?? 'YES_NO',
    options: [],
  };
}

/** Options other than yes and no make a multiple choice. */
function typeOf({ type, options }: PastedQuestion): QuestionType {
  if (type !== 'YES_NO' || options.length === 0) {
    return type;
  }
  return isYesNo(options) ? 'YES_NO' : 'MULTIPLE_CHOICE';
}

/** Whether the options contain a word for yes and one for no. */
function isYesNo(options: string[]): boolean {
  const roles = options.map(roleOfWord);
  return roles.includes('yes') && roles.includes('no');
}

function countProblems(questions: PastedQuestion[]): string[] {
  const tooMany = questions[MAX_QUESTIONS];
  return tooMany ? [`Line ${tooMany.line}: at most ${MAX_QUESTIONS} questions at once.`] : [];
}

function problemsOf({ line, text, type, options }: PastedQuestion): string[] {
  const hasChoices = type === 'YES_NO' || type === 'MULTIPLE_CHOICE';
  const found = [
    text === '' ? 'the question has no text.' : null,
    textLength(text) > LONGEST_QUESTION ? `a question has at most ${LONGEST_QUESTION} characters.` : null,
    !hasChoices && options.length > 0 ? 'this type of question has no options.' : null,
    hasChoices && options.length === 1 ? 'please provide at least 2 options.' : null,
    options.length > MAX_OPTIONS ? `at most ${MAX_OPTIONS} options.` : null,
    options.includes('') ? 'an option has no text.' : null,
    !lookDifferent(options) ? 'each option needs a text of its own.' : null,
    options.some((option) => textLength(option) > LONGEST_OPTION)
      ? `an option has at most ${LONGEST_OPTION} characters.`
      : null,
  ];
  return found.flatMap((problem) => (problem === null ? [] : [`Line ${line}: ${problem}`]));
}

/** The body of a pasted question. `isDecided` gives yes/no questions a simple majority. */
export function toNewQuestion(question: PastedQuestion, isDecided: boolean): NewQuestionBody {
  const { text, type, options } = question;
  return {
    questionText: text,
    questionType: type,
    ...(options.length > 0 ? { options } : {}),
    ...(type === 'MULTIPLE_CHOICE' ? { maxChoices: 1 } : {}),
    ...(type === 'YES_NO' && isDecided
      ? {
          decisionRule: {
            kind: 'majority',
            conditions: majorityConditions('simple', 'heads'),
            onTie: 'rejected',
          },
        }
      : {}),
  };
}
