import type { Question, Secrecy } from '../../api/types';
import { hasOptions } from '../question-types';

/** The levels of secrecy, by the names on screens. */
export const SECRECY_NAMES: Record<Secrecy, string> = {
  named: 'Named vote',
  unshown: 'Votes not shown',
  secret: 'Secret vote',
};

/** Secret texts, numbers and rankings have no weights: each answer with its weight would name the voter. */
export function isAlwaysByHeads({
  questionType,
  secrecy,
}: Pick<Question, 'questionType' | 'secrecy'>): boolean {
  return secrecy === 'secret' && !hasOptions(questionType);
}

/** The label of the button that counts. */
export function countLabel(isSecret: boolean): string {
  return isSecret ? 'Open the urn and count' : 'Count Votes';
}

/** The name of a vote whose key is lost. */
export const VOID_TITLE = 'This vote is void';

/** "1 ballot was invalid."; null without one. Only secret votes have invalid ballots. */
export function invalidWords({ invalid }: { invalid: { heads: number } }): string | null {
  if (invalid.heads === 0) {
    return null;
  }
  return invalid.heads === 1 ? '1 ballot was invalid.' : `${invalid.heads} ballots were invalid.`;
}
