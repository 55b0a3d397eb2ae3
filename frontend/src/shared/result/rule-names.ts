import type { Condition, DecisionRule } from '../../api/types';
import type { ElectionMethod } from '../elections/election-types';
import { countOf } from '../format';
import { unitsOf } from './figures';
import { conditionsWords, conditionWords, ruleNameOfElection, unitWords } from './result-words';
import type { NamedKinds } from './weight-names';

type Units = Condition['units'];

/** The majorities that have a name. */
export type MajorityName = 'simple' | 'two_thirds' | 'three_quarters' | 'all_members' | 'condominium';

export const majorityNames: MajorityName[] = [
  'simple',
  'two_thirds',
  'three_quarters',
  'all_members',
  'condominium',
];

const WORDS: Record<MajorityName, string> = {
  simple: 'simple majority',
  two_thirds: 'two thirds',
  three_quarters: 'three quarters',
  all_members: 'absolute majority of all members',
  condominium: 'condominium (double majority)',
};

/** The conditions of a majority. For a condominium, `units` are those of the votes. */
export function majorityConditions(name: MajorityName, units: Units): Condition[] {
  const ofVotes = { units, base: 'yes_plus_no' } as const;
  switch (name) {
    case 'simple':
      return [{ ...ofVotes, comparison: 'more_than', numerator: 1, denominator: 2 }];
    case 'two_thirds':
      return [{ ...ofVotes, comparison: 'at_least', numerator: 2, denominator: 3 }];
    case 'three_quarters':
      return [{ ...ofVotes, comparison: 'at_least', numerator: 3, denominator: 4 }];
    case 'all_members':
      return [{ units, base: 'whole_register', comparison: 'more_than', numerator: 1, denominator: 2 }];
    case 'condominium':
      return [
        { ...ofVotes, comparison: 'more_than', numerator: 2, denominator: 3 },
        { units: 'weight', base: 'whole_register', comparison: 'at_least', numerator: 1, denominator: 2 },
      ];
  }
}

/** The name of a majority with these conditions; null without a name. */
export function majorityNameOf(conditions: Condition[]): MajorityName | null {
  const units = conditions[0]?.units ?? 'heads';
  return majorityNames.find((name) => isSame(majorityConditions(name, units), conditions)) ?? null;
}

function isSame(left: Condition[], right: Condition[]): boolean {
  return left.length === right.length && conditionsWords(left) === conditionsWords(right);
}

/** The rule in a few words, for a line with other texts: "simple majority by heads". */
export function ruleName(rule: DecisionRule, kinds?: NamedKinds): string {
  switch (rule.kind) {
    case 'majority': {
      const name = majorityNameOf(rule.conditions);
      const [first] = rule.conditions;
      return name && first
        ? `${WORDS[name]} ${unitWords(first.units, kinds)}`
        : conditionsWords(rule.conditions, kinds);
    }
    case 'plurality':
      return `most votes ${unitWords(rule.unit, kinds)}${seatWords(rule.seats)}`;
    case 'each_option':
      return `${conditionWords(rule.condition, kinds)}, for each option${seatWords(rule.seats)}`;
    case 'election':
      return inLine(rule.election.method, ruleNameOfElection(rule.election, kinds));
  }
}

/** The methods that are named after a person keep their capital. */
const NAMED_AFTER_PEOPLE: ElectionMethod[] = ['schulze', 'borda'];

function inLine(method: ElectionMethod, name: string): string {
  return NAMED_AFTER_PEOPLE.includes(method) ? name : name.charAt(0).toLowerCase() + name.slice(1);
}

/** Whether "counted by heads" tells more than the rule does: one that counts heads only is "by heads" by its name. */
export function tellsOfHeads(rule: DecisionRule | null): boolean {
  return rule === null || unitsOf(rule).includes('weight');
}

function seatWords(seats: number | null | undefined): string {
  return seats ? `, ${countOf(seats, 'seat')}` : '';
}
