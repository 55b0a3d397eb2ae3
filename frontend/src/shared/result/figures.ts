import type { Condition, DecisionRule, Quorum, Result } from '../../api/types';
import { formatNumber, PERCENT_SIGN } from '../format';

/* The words and numbers that every screen needs, including voters' phones. The words of rules and quorums are in
   result-words.ts, which voters do not load. */

type Units = Condition['units'];
export type Outcome = Result['decision']['outcome'];
export type Unit = Quorum['unit'];

const OUTCOMES: Record<Outcome, string> = {
  accepted: 'Accepted',
  rejected: 'Rejected',
  elected: 'Elected',
  not_elected: 'Not elected',
  quorum_missed: 'Quorum missed',
  undecided: 'Not decided',
};

/** The verdict in one or two words. */
export function outcomeLabel(outcome: Outcome): string {
  return OUTCOMES[outcome];
}

/** Whether the question asks for opinions that no rule can decide: it has answers, and no outcome. */
export function isSurvey({ questionType, decision }: Pick<Result, 'questionType' | 'decision'>): boolean {
  return (
    decision.outcome === 'undecided' &&
    (questionType === 'RATING' || questionType === 'PERCENTAGE' || questionType === 'OPEN_TEXT')
  );
}

/** The place of a verdict in the result of a survey. */
export const SURVEY_WORDS = 'Survey. The answers are counted.';

/** A share as the server gives it, always with two decimals: "60.00 %". */
export function formatPercent(percent: number | null): string {
  return percent === null ? '–' : `${percent.toFixed(2)}${PERCENT_SIGN}`;
}

/** The units in which the votes of a rule count; the first one is the unit of the first bar. */
export function unitsOf(rule: DecisionRule | null): Unit[] {
  const units = rule === null ? [] : rule.kind === 'plurality' ? [rule.unit] : conditionUnits(rule);
  const counts = (unit: Unit) => units.some((each) => each === unit || each === 'both');
  return counts('weight') ? (counts('heads') ? ['heads', 'weight'] : ['weight']) : ['heads'];
}

function conditionUnits(rule: Exclude<DecisionRule, { kind: 'plurality' }>): Units[] {
  return (rule.kind === 'majority' ? rule.conditions : [rule.condition]).map(({ units }) => units);
}

/** Mean and median, by heads and by weight, with the server's digits. */
export function averagesOf(numbers: NonNullable<Result['numbers']>, isPercentage: boolean) {
  const sign = isPercentage ? PERCENT_SIGN : '';
  const averages = [
    { label: 'Mean', value: numbers.mean },
    { label: 'Mean by weight', value: numbers.weightedMean },
    { label: 'Median', value: numbers.median },
    { label: 'Median by weight', value: numbers.weightedMedian },
  ];
  return averages.map(({ label, value }) => ({
    label,
    text: value === null ? '–' : `${formatNumber(value)}${sign}`,
  }));
}
