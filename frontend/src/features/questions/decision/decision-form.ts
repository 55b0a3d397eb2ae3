import type { Condition, DecisionRule, OptionRole, QuestionType } from '../../../api/types';
import { type NumberRule, numberOf, numberProblem, wholeNumber } from '../../../shared/number-text';
import { knowsTies } from '../../../shared/result/result-words';
import { type MajorityName, majorityConditions, majorityNameOf } from '../../../shared/result/rule-names';
import {
  fromShare,
  half,
  type ShareFields,
  shareIssues,
  toShare,
  under,
} from '../../../shared/terms/share-form';

/** A condition in a form. */
export interface ConditionFields extends ShareFields {
  units: Condition['units'];
  base: Condition['base'];
  /** The connection with the condition before it. */
  joined: NonNullable<Condition['joined']>;
  hasBlockingMinority: boolean;
  /** As typed. */
  blockingMinority: string;
}

type Majority = Extract<DecisionRule, { kind: 'majority' }>;
export type DecisionKind = 'none' | MajorityName | 'own' | 'plurality' | 'each_option';

/**
 * The decision rule in a form. Fields that the chosen kind does not use keep their values, in case the kind is chosen
 * again.
 */
export interface DecisionFields {
  kind: DecisionKind;
  /** For a named majority, and for the most votes. */
  units: Condition['units'];
  first: ConditionFields;
  /** The conditions after the first one, two at most. */
  further: ConditionFields[];
  /** The ids of the groups that each need the majority as well. */
  inEach: string[];
  onTie: NonNullable<Majority['onTie']>;
  /** As typed. */
  seats: string;
}

const MAJORITIES: { value: DecisionKind; label: string }[] = [
  { value: 'simple', label: 'Simple majority' },
  { value: 'two_thirds', label: 'Two thirds' },
  { value: 'three_quarters', label: 'Three quarters' },
  { value: 'all_members', label: 'Absolute majority of all members' },
  { value: 'condominium', label: 'Condominium (double majority)' },
  { value: 'own', label: 'Custom' },
];

const CHOICES: { value: DecisionKind; label: string }[] = [
  { value: 'plurality', label: 'Most votes (relative majority)' },
  { value: 'each_option', label: 'Each option needs a majority' },
];

/** The rules for questions of a type; empty for types without a decision. */
export function decisionKinds(type: QuestionType): { value: DecisionKind; label: string }[] {
  const kinds = {
    YES_NO: MAJORITIES,
    MULTIPLE_CHOICE: CHOICES,
    OPEN_TEXT: [],
    RATING: [],
    PERCENTAGE: [],
    ELECTION: [],
  };
  return kinds[type].length > 0 ? [{ value: 'none', label: 'None' }, ...kinds[type]] : [];
}

const ofYesAndNo: ConditionFields = {
  ...half,
  units: 'heads',
  base: 'yes_plus_no',
  joined: 'and',
  hasBlockingMinority: false,
  blockingMinority: '4',
};
/** The initial values of a further condition. */
export const ofAll: ConditionFields = {
  ...ofYesAndNo,
  comparison: 'at_least',
  units: 'weight',
  base: 'whole_register',
};

/** The most conditions of a rule after the first one. */
export const MOST_FURTHER = 2;

export const noDecision: DecisionFields = {
  kind: 'none',
  units: 'heads',
  first: ofYesAndNo,
  further: [],
  inEach: [],
  onTie: 'rejected',
  seats: '',
};

/** The initial values of the fields when a kind is chosen. */
export function withKind(fields: DecisionFields, kind: DecisionKind): DecisionFields {
  switch (kind) {
    case 'plurality':
      return {
        ...fields,
        kind,
        units: fields.units === 'weight' ? 'weight' : 'heads',
        seats: fields.seats || '1',
      };
    case 'each_option':
      return {
        ...fields,
        kind,
        first: { ...fields.first, base: 'votes_cast', units: unitsOfOption(fields.first) },
      };
    default:
      return { ...fields, kind };
  }
}

/** The second weight is for questions of yes and no. */
function unitsOfOption({ units }: ConditionFields): Condition['units'] {
  return units === 'second_weight' ? 'heads' : units;
}

export function fromRule(rule: DecisionRule | null): DecisionFields {
  if (!rule) {
    return noDecision;
  }
  switch (rule.kind) {
    case 'majority':
      return fromMajority(rule);
    case 'plurality':
      return { ...noDecision, kind: 'plurality', units: rule.unit, seats: String(rule.seats) };
    case 'each_option':
      return {
        ...noDecision,
        kind: 'each_option',
        first: fromCondition(rule.condition),
        seats: rule.seats?.toString() ?? '',
      };
    // The election has fields of its own.
    case 'election':
      return noDecision;
  }
}

function fromMajority({ conditions, onTie = 'rejected', inEach = [] }: Majority): DecisionFields {
  const [first, ...further] = conditions;
  return {
    ...noDecision,
    kind: majorityNameOf(conditions) ?? 'own',
    units: first?.units ?? 'heads',
    first: first ? fromCondition(first) : ofYesAndNo,
    further: further.map(fromCondition),
    inEach,
    onTie,
  };
}

function fromCondition(condition: Condition): ConditionFields {
  const { units, base, joined = 'and', blockingMinority } = condition;
  return {
    ...fromShare(condition),
    units,
    base,
    joined,
    hasBlockingMinority: blockingMinority !== undefined,
    blockingMinority: String(blockingMinority ?? ofYesAndNo.blockingMinority),
  };
}

/** A condition that connects with the one before it. */
function toCondition(fields: ConditionFields): Condition {
  const { units, base, joined, hasBlockingMinority, blockingMinority } = fields;
  return {
    units,
    base,
    ...toShare(fields),
    ...(hasBlockingMinority ? { blockingMinority: numberOf(blockingMinority, blockingMinorityRule) } : {}),
    ...(joined === 'or' ? { joined } : {}),
  };
}

export const blockingMinorityRule = wholeNumber(1_000_000, 'Must be a whole number from 2 to 1,000,000.', 2);

function conditionIssues(fields: ConditionFields): Record<string, string> {
  const { hasBlockingMinority, blockingMinority } = fields;
  const isWrong = hasBlockingMinority && Number.isNaN(numberOf(blockingMinority, blockingMinorityRule));
  return { ...shareIssues(fields), ...(isWrong ? { blockingMinority: blockingMinorityRule.wanted } : {}) };
}

/** The chosen conditions of yes and no; empty if the rule is not a majority. */
export function conditionsOf(fields: DecisionFields): Condition[] {
  switch (fields.kind) {
    case 'none':
    case 'plurality':
    case 'each_option':
      return [];
    case 'own':
      return [{ ...fields.first, joined: 'and' as const }, ...fields.further].map(toCondition);
    default:
      return majorityConditions(fields.kind, fields.units);
  }
}

export function canTie(fields: DecisionFields): boolean {
  return conditionsOf(fields).some(knowsTies);
}

export function toRule(fields: DecisionFields): DecisionRule | null {
  switch (fields.kind) {
    case 'none':
      return null;
    case 'plurality':
      return {
        kind: 'plurality',
        unit: fields.units === 'weight' ? 'weight' : 'heads',
        seats: seatsOf(fields),
      };
    case 'each_option':
      return {
        kind: 'each_option',
        condition: toCondition({ ...fields.first, joined: 'and', hasBlockingMinority: false }),
        seats: fields.seats.trim() === '' ? null : seatsOf(fields),
      };
    default:
      return {
        kind: 'majority',
        conditions: conditionsOf(fields),
        onTie: canTie(fields) ? fields.onTie : 'rejected',
        ...(fields.inEach.length > 0 ? { inEach: fields.inEach } : {}),
      };
  }
}

/**
 * The errors of the rule, by the server's paths.
 *
 * @param secondWeightProblem The reason why no condition can be in a second weight; null if one can.
 */
export function decisionIssues(
  fields: DecisionFields,
  roles: OptionRole[],
  secondWeightProblem: string | null,
): Record<string, string> {
  switch (fields.kind) {
    case 'none':
      return {};
    case 'plurality':
      return seatIssues(fields, electable(roles));
    case 'each_option':
      return {
        ...under('decisionRule.condition', shareIssues(fields.first)),
        ...(fields.seats.trim() === '' ? {} : seatIssues(fields, electable(roles))),
      };
    case 'own':
      return {
        ...Object.assign(
          {},
          ...[fields.first, ...fields.further].map((condition, place) =>
            under(`decisionRule.conditions.${place}`, {
              ...conditionIssues(condition),
              ...unitsIssues(condition, secondWeightProblem),
            }),
          ),
        ),
        ...roleIssues(roles),
      };
    default:
      return { ...under('decisionRule', unitsIssues(fields, secondWeightProblem)), ...roleIssues(roles) };
  }
}

function unitsIssues(
  { units }: Pick<ConditionFields, 'units'>,
  secondWeightProblem: string | null,
): Record<string, string> {
  return units === 'second_weight' && secondWeightProblem !== null ? { units: secondWeightProblem } : {};
}

export function seatsRule(options: number): NumberRule {
  return wholeNumber(options, `Must be a whole number from 1 to ${options}.`);
}

/** The number of options that can be elected. An abstention elects nobody. */
function electable(roles: OptionRole[]): number {
  return roles.filter((role) => role === 'choice').length;
}

/** The number of seats. It was checked before that there are as many options. */
function seatsOf({ seats }: DecisionFields): number {
  return numberOf(seats, seatsRule(Number.MAX_SAFE_INTEGER));
}

function seatIssues({ seats }: DecisionFields, options: number): Record<string, string> {
  const rule = seatsRule(options);
  return seats.trim() === '' || numberProblem(seats, rule) !== null
    ? { 'decisionRule.seats': rule.wanted }
    : {};
}

function roleIssues(roles: OptionRole[]): Record<string, string> {
  return roles.includes('yes') && roles.includes('no')
    ? {}
    : { options: 'A decision needs an option that means yes and one that means no.' };
}
