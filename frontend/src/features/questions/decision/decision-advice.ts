import type { DecisionRule } from '../../../api/types';
import { countOf } from '../../../shared/format';
import { majorityNameOf } from '../../../shared/result/rule-names';
import { type DecisionFields, noDecision } from './decision-form';

interface Draft {
  questionType: string;
  questionText: string;
  decision: DecisionFields;
}

/** Words of elections, by-laws and motions. */
const DECISION_WORDS =
  /\b(elect|election|candidates?|board|chair|by-?laws?|statutes?|approve|adopt|discharge|budget)/i;

/** Whether a question without a rule looks like a decision: a yes/no question, or a choice in the words of an election. */
export function looksLikeDecision({ questionType, questionText, decision }: Draft): boolean {
  if (decision.kind !== 'none' || questionText.trim() === '') {
    return false;
  }
  return (
    questionType === 'YES_NO' || (questionType === 'MULTIPLE_CHOICE' && DECISION_WORDS.test(questionText))
  );
}

/** The rule that most organizations use for this type. */
export function usualDecision({ questionType }: Pick<Draft, 'questionType'>): DecisionFields {
  return questionType === 'YES_NO'
    ? { ...noDecision, kind: 'simple' }
    : { ...noDecision, kind: 'plurality', seats: '1' };
}

/** An example of 100 members; null for a rule without a name. */
export function exampleOf(rule: DecisionRule): string | null {
  if (rule.kind === 'plurality') {
    return rule.seats === 1
      ? 'Example: of 40, 35 and 25 votes, the option with 40 is elected.'
      : `Example: the ${countOf(rule.seats, 'option')} with the most votes are elected.`;
  }
  if (rule.kind === 'each_option') {
    return null;
  }
  switch (majorityNameOf(rule.conditions)) {
    case 'simple':
      return 'Example: 41 yes and 40 no accept, whatever the abstentions. 40 and 40 are a tie.';
    case 'two_thirds':
      return 'Example: 60 yes and 30 no accept. 59 and 31 do not.';
    case 'three_quarters':
      return 'Example: 60 yes and 20 no accept. 59 and 21 do not.';
    case 'all_members':
      return 'Example: of 100 members, 51 must vote yes, even if only 60 vote.';
    case 'condominium':
      return 'Example: 61 yes and 30 no accept, if the yes votes also have half of all shares.';
    case null:
      return null;
  }
}
