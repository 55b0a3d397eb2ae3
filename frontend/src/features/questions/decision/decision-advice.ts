import type { Condition } from '../../../api/types';
import { conditionSentence } from '../../../shared/result/chair-sentences';
import { type MajorityName, majorityConditions } from '../../../shared/result/rule-names';
import type { NamedKinds } from '../../../shared/result/weight-names';
import { conditionsOf, type DecisionFields, type DecisionKind, noDecision } from './decision-form';

interface Draft {
  questionType: string;
  questionText: string;
  decision: DecisionFields;
}

/** Words of elections, offices, by-laws and motions. */
const DECISION_WORDS =
  /\b(elect|appoint|candidate|board|committee|chair|president|treasurer|secretary|auditor|by-?law|statute|amend|motion|resol(ve|ution)|approv|adopt|ratif|discharge|budget)/i;

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

type Example = Pick<Parameters<typeof conditionSentence>[0], 'part' | 'whole'> & { unit?: CheckedUnit };
type CheckedUnit = Parameters<typeof conditionSentence>[0]['unit'];

/** The votes of each majority's example, one pair for each condition. */
const VOTES: Record<MajorityName, Example[]> = {
  simple: [{ part: 4, whole: 6 }],
  two_thirds: [{ part: 4, whole: 6 }],
  three_quarters: [{ part: 5, whole: 6 }],
  all_members: [{ part: 6, whole: 10 }],
  condominium: [
    { part: 5, whole: 6 },
    { part: 620, whole: 1_000, unit: 'weight' },
  ],
};

/** The example of a condition by a weight. */
const WHOLE_WEIGHT = 1_000;
const WHOLE_HEADS = 10;

/** A result that meets this condition, once for each of its units. */
function metSentences(condition: Condition, kinds: NamedKinds, alternative: number): string[] {
  const units: CheckedUnit[] = condition.units === 'both' ? ['heads', 'weight'] : [condition.units];
  return units.map((unit) => {
    const whole = unit === 'heads' ? WHOLE_HEADS : WHOLE_WEIGHT;
    const needed = (whole * condition.numerator) / condition.denominator;
    const part = Math.min(whole, Math.floor(needed) + whole / 10);
    return conditionSentence(
      {
        base: condition.base,
        comparison: condition.comparison,
        numerator: condition.numerator,
        denominator: condition.denominator,
        alternative,
        unit,
        part,
        whole,
        isTie: false,
        isMet: true,
      },
      {},
      kinds,
    );
  });
}

/** A result under the rule of the form, if it counts by a weight. */
function chosenExample(decision: DecisionFields, kinds: NamedKinds): string | null {
  const conditions = conditionsOf(decision);
  const isSound = conditions.every(({ numerator, denominator }) => numerator > 0 && denominator >= numerator);
  if (!isSound || conditions.every(({ units }) => units === 'heads')) {
    return null;
  }
  const sentences = conditions.flatMap((condition, place) =>
    metSentences(condition, kinds, condition.joined === 'or' ? place : 0),
  );
  return `${sentences.join(' ')} Accepted.`;
}

/** A result under this rule, as a chair reads it out. `chosen` is the rule of the form, if it is of this kind. */
export function exampleSentence(
  kind: DecisionKind,
  kinds: NamedKinds = {},
  chosen: DecisionFields | null = null,
): string {
  const ofChosen = chosen && chosenExample(chosen, kinds);
  if (ofChosen) {
    return ofChosen;
  }
  switch (kind) {
    case 'none':
      return 'The votes are counted and shown. Nothing is decided.';
    case 'plurality':
      return 'A has 40 votes, B has 35 and C has 25. Elected: A.';
    case 'each_option':
      return 'A has 30 of 50 votes; more than half was needed. Elected: A.';
    case 'own':
      return '6 of 10 votes, abstentions included, were yes; at least 60 % was needed. Accepted.';
    default: {
      const conditions = majorityConditions(kind, 'heads').map((condition, index) =>
        conditionSentence(
          {
            ...condition,
            unit: 'heads',
            part: 0,
            whole: 0,
            isTie: false,
            isMet: true,
            ...VOTES[kind][index],
          },
          {},
          kinds,
        ),
      );
      return `${conditions.join(' ')} Accepted.`;
    }
  }
}
