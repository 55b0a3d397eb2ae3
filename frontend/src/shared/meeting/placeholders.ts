import type { Question } from '../../api/types';
import { listed } from '../result/listed';

/** The names that templates give to what nobody knows yet. They are to be replaced before the vote. */
const WORDS = ['Candidate', 'Topic'] as const;
const PLACEHOLDER = new RegExp(`^(${WORDS.join('|')}) [1-9]$`);

/** "Candidate 1", "Candidate 2" */
export function placeholders(word: (typeof WORDS)[number], count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${word} ${index + 1}`);
}

/** Says which options of a question still have the names of a template; null if none has. */
export function placeholderWords({ optionsList }: Pick<Question, 'optionsList'>): string | null {
  const left = optionsList.map(({ text }) => text).filter((text) => PLACEHOLDER.test(text.trim()));
  return left.length === 0
    ? null
    : `${listed(left.map((text) => `“${text}”`))} ${left.length === 1 ? 'is a placeholder' : 'are placeholders'} of the template.`;
}
