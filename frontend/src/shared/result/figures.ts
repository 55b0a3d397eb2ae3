import type { Condition, DecisionRule, Quorum, Result } from '../../api/types';
import { formatNumber, PERCENT_SIGN } from '../format';
import { type NamedKind, weightName } from './weight-names';

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
  casting_vote_open: 'Casting vote open',
  undecided: 'Not decided',
};

/** The verdict in one or two words. */
export function outcomeLabel(outcome: Outcome): string {
  return OUTCOMES[outcome];
}

/** The place of a verdict in the result of a survey. */
export const SURVEY_WORDS = 'Survey. The answers are counted.';

/** A share as the server gives it, always with two decimals: "60.00 %". */
export function formatPercent(percent: number | null): string {
  return percent === null ? '–' : `${percent.toFixed(2)}${PERCENT_SIGN}`;
}

/** The units in which the votes of a rule count; the first one is the unit of the first bar. */
export function unitsOf(rule: DecisionRule | null): Unit[] {
  const units = rule === null ? [] : unitsOfRule(rule);
  const counts = (unit: Unit) => units.some((each) => each === unit || each === 'both');
  return counts('weight') ? (counts('heads') ? ['heads', 'weight'] : ['weight']) : ['heads'];
}

function unitsOfRule(rule: DecisionRule): Units[] {
  switch (rule.kind) {
    case 'plurality':
      return [rule.unit];
    case 'election':
      return [rule.election.unit ?? 'heads'];
    case 'majority':
      return rule.conditions.map(({ units }) => units);
    case 'each_option':
      return [rule.condition.units];
  }
}

const MEAN = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A mean with one digit: the answers are whole stars or guessed percentages, and more would say nothing. */
export function meanText(mean: number): string {
  return MEAN.format(mean);
}

/** "Mean 3.8", of percentages "Mean 61.4 %"; "No votes" without any. */
export function meanSentence({ numbers, questionType }: Pick<Result, 'numbers' | 'questionType'>): string {
  const sign = questionType === 'PERCENTAGE' ? PERCENT_SIGN : '';
  return typeof numbers?.mean === 'number' ? `Mean ${meanText(numbers.mean)}${sign}` : 'No votes';
}

/** Mean and median, by heads and by weight: means with one digit, and medians as they are. */
export function averagesOf(
  numbers: NonNullable<Result['numbers']>,
  isPercentage: boolean,
  weightKind: NamedKind,
) {
  const byWeight = ` by ${weightName(weightKind)}`;
  const sign = isPercentage ? PERCENT_SIGN : '';
  const averages = [
    { label: 'Mean', value: numbers.mean, format: meanText },
    { label: `Mean${byWeight}`, value: numbers.weightedMean, format: meanText },
    { label: 'Median', value: numbers.median, format: formatNumber },
    { label: `Median${byWeight}`, value: numbers.weightedMedian, format: formatNumber },
  ];
  return averages.map(({ label, value, format }) => ({
    label,
    text: value === null ? '–' : `${format(value)}${sign}`,
  }));
}

/** Whether a question decides nothing: it has no decision rule, and so no verdict and no quorum worth a sentence. */
export function isSurvey({ decisionRule, decision }: Pick<Result, 'decisionRule' | 'decision'>): boolean {
  return decisionRule === null && decision.outcome === 'undecided';
}
