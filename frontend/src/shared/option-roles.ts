import type { OptionRole, QuestionType } from '../api/types';

const WORDS: Record<Exclude<OptionRole, 'choice'>, string[]> = {
  yes: [
    'yes',
    'for',
    'in favour',
    'in favor',
    'approve',
    'accept',
    'ja',
    'dafür',
    'zustimmung',
    'oui',
    'sí',
    'si',
  ],
  no: ['no', 'against', 'reject', 'oppose', 'nein', 'dagegen', 'ablehnung', 'non'],
  abstain: ['abstain', 'abstention', 'enthaltung', 'abstenção', 'abstención', 'astensione'],
};

const BY_PLACE: OptionRole[] = ['yes', 'no', 'abstain'];

/**
 * The default meanings of a question's options, equal to the server's. Known words decide; in a yes/no question without
 * any known word, the position does. In a multiple choice question, only an abstention is no choice.
 */
export function presetRoles(texts: string[], questionType: QuestionType): OptionRole[] {
  if (questionType !== 'YES_NO') {
    return texts.map((text) => (roleOfWord(text) === 'abstain' ? 'abstain' : 'choice'));
  }
  const byWord = texts.map(roleOfWord);
  return byWord.some((role) => role !== undefined)
    ? byWord.map((role) => role ?? 'choice')
    : texts.map((_, index) => BY_PLACE[index] ?? 'choice');
}

/**
 * The meaning that everybody reads in the text itself. Screens of voters know no other one: without such a word an option
 * gets no sign.
 */
export function spokenRole(text: string): OptionRole {
  return roleOfWord(text) ?? 'choice';
}

/** The meaning of a known word. */
export function roleOfWord(text: string): OptionRole | undefined {
  const word = text.trim().toLowerCase();
  return (['yes', 'no', 'abstain'] as const).find((role) => WORDS[role].includes(word));
}
