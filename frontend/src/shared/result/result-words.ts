import type { Condition, DecisionRule, MeetingQuorum, OptionRole, Quorum, Result } from '../../api/types';
import type { ElectionRule } from '../elections/election-types';
import { methodName, methodSentence, seatsWords } from '../elections/method-names';
import { countOf, formatNumber } from '../format';
import { decisionSentence, quorumSentenceOf } from './chair-sentences';
import { type CountedKinds, type NamedKind, type NamedKinds, weightName } from './weight-names';

type Base = Condition['base'];
type Units = Condition['units'];
type Share = Pick<Condition, 'comparison' | 'numerator' | 'denominator'>;

const ROLES: Record<OptionRole, string> = { yes: 'Yes', no: 'No', abstain: 'Abstain', choice: 'Other' };

/** The meaning of an option for the decision. */
export function roleLabel(role: OptionRole): string {
  return ROLES[role];
}

const BASES: Record<Base, string> = {
  yes_plus_no: 'yes and no',
  votes_cast: 'the votes cast',
  votes_without_abstentions: 'the votes cast without abstentions',
  whole_register: 'the whole register',
  connected_at_opening: 'those present',
};

/** "by weight", or "by Floor area" */
export function unitWords(units: Units, { weightKind, secondWeightKind }: NamedKinds = {}): string {
  switch (units) {
    case 'heads':
      return 'by heads';
    case 'weight':
      return `by ${weightName(weightKind)}`;
    case 'both':
      return `by heads and by ${weightName(weightKind)}, in each`;
    case 'second_weight':
      return `by ${secondWeightKind?.name ?? 'second weight'}`;
  }
}

/** "more than 2/3" */
export function shareWords({ comparison, numerator, denominator }: Share): string {
  return `${comparison === 'more_than' ? 'more than' : 'at least'} ${numerator}/${denominator}`;
}

/** "more than 2/3 of yes and no, by weight" */
export function conditionWords(condition: Condition, kinds?: NamedKinds): string {
  const share = `${shareWords(condition)} of ${BASES[condition.base]}, ${unitWords(condition.units, kinds)}`;
  const { blockingMinority } = condition;
  return blockingMinority === undefined
    ? share
    : `${share} (or fewer than ${countOf(blockingMinority, 'person', 'people')} not in favor)`;
}

/** The conditions with their connections: "…; and …", "…; or …" */
export function conditionsWords(conditions: Condition[], kinds?: NamedKinds): string {
  return conditions
    .map((condition, place) => {
      const connection = condition.joined === 'or' ? '; or ' : '; and ';
      return `${place > 0 ? connection : ''}${conditionWords(condition, kinds)}`;
    })
    .join('');
}

const TIES = {
  rejected: ' A tie rejects.',
  accepted: ' A tie accepts.',
  casting_vote: ' On a tie, the chair has the casting vote.',
};

/** " In total, and in each of 2 groups." */
function groupsWords(groups: number): string {
  if (groups === 0) {
    return '';
  }
  return groups === 1 ? ' In total, and in 1 group.' : ` In total, and in each of ${groups} groups.`;
}

/** A tie is possible only if more than half of yes and no is needed. Any other majority is reached or not. */
export function knowsTies({ base, comparison, numerator, denominator }: Condition): boolean {
  return base === 'yes_plus_no' && comparison === 'more_than' && numerator * 2 === denominator;
}

/** The rule in full: "More than 1/2 of yes and no, by heads. A tie rejects." */
export function ruleWords(rule: DecisionRule, kinds?: NamedKinds): string {
  switch (rule.kind) {
    case 'majority': {
      const conditions = capitalized(conditionsWords(rule.conditions, kinds));
      const tie = TIES[rule.onTie ?? 'rejected'];
      const groups = groupsWords(rule.inEach?.length ?? 0);
      return `${conditions}.${rule.conditions.some(knowsTies) ? tie : ''}${groups}`;
    }
    case 'plurality':
      return `${capitalized(mostVotes(rule.seats))}, ${unitWords(rule.unit, kinds)}. ${TIE_AT_BORDER}`;
    case 'each_option': {
      const each = `Each option needs ${conditionWords(rule.condition, kinds)}`;
      return rule.seats
        ? `${each}. Of those that reach it, ${mostVotes(rule.seats)}. ${TIE_AT_BORDER}`
        : `${each}. All options that reach it are elected.`;
    }
    case 'election':
      return `${capitalized(ruleNameOfElection(rule.election, kinds))}. ${methodSentence(rule.election.method, rule.election.seats !== null)}`;
  }
}

/** "Instant runoff by heads, 1 seat" */
export function ruleNameOfElection(rule: ElectionRule, kinds?: NamedKinds): string {
  const { method, unit = 'heads', seats = 1 } = rule;
  return `${methodName(method)} ${unitWords(unit, kinds)}, ${seatsWords(seats)}`;
}

const TIE_AT_BORDER = 'If more options are tied than seats remain, none of them is elected.';

function mostVotes(seats: number): string {
  return seats === 1
    ? 'the option with the most votes is elected'
    : `the ${countOf(seats, 'option')} with the most votes are elected`;
}

/** The share of the register that a quorum asks for. Null if it asks for a number. */
export function shareOf({ comparison, numerator, denominator }: Quorum): Share | null {
  return comparison === undefined || numerator === undefined || denominator === undefined
    ? null
    : { comparison, numerator, denominator };
}

/** The quorum in full: "At least 1/2 of the register must be present, by heads." */
export function quorumWords(quorum: Quorum, weightKind?: NamedKind): string {
  const attendance = quorum.attendance === 'present' ? 'must be present' : 'must have voted';
  const share = shareOf(quorum);
  const part = share
    ? `${shareWords(share)} of the register`
    : `at least ${formatNumber(quorum.minimum ?? 0)}`;
  return `${capitalized(part)} ${attendance}, ${unitWords(quorum.unit, { weightKind })}.`;
}

/** The meaning of "present" in a new round, for forms that offer a quorum of those present. */
export function presentMeans(hasCheckIn: boolean): string {
  return `Present means ${PRESENCE[hasCheckIn ? 'CHECKED_IN' : 'CONNECTED_OR_VOTED']}.`;
}

const PRESENCE: Record<Result['presence'], string> = {
  CONNECTED_OR_VOTED: 'connected at opening, or voted',
  CHECKED_IN: 'checked in at opening, or voted',
  LARGER_NUMBER: 'connected at opening or votes cast, the larger number',
};

/** The heading of the people who were there when voting opened: connected or, with check-in, checked in. */
export function atOpeningName(presence: Result['presence']): string {
  return presence === 'CHECKED_IN' ? 'Checked in at opening' : 'Connected at opening';
}

/** "connected at opening, or voted" */
export function presenceWords(presence: Result['presence']): string {
  return PRESENCE[presence];
}

/** "Present: connected at opening, or voted.", if a base or the quorum of a result is of those present. */
export function presentSentence({
  arithmetic,
  presence,
}: Pick<Result, 'arithmetic' | 'presence'>): string | null {
  const isBase = arithmetic.checks.some(({ base }) => base === 'connected_at_opening');
  const isQuorum = arithmetic.quorum?.quorum.attendance === 'present';
  return isBase || isQuorum ? `Present: ${presenceWords(presence)}.` : null;
}

/** The effect of a missing quorum when a question is opened. */
export function atOpeningWords({ atOpening }: Pick<MeetingQuorum, 'atOpening'>): string {
  return atOpening === 'bar'
    ? 'If the quorum is not met, no question can be opened.'
    : 'If the quorum is not met, the organizer is warned before opening a question.';
}

export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The sentence of the quorum. Null without one, and for a missed quorum, whose sentence is the decision. */
export function quorumBesideDecision(
  result: Pick<Result, 'decision' | 'arithmetic' | 'represented'> & CountedKinds,
): string | null {
  const sentence = quorumSentenceOf(result);
  return sentence === decisionSentence(result) ? null : sentence;
}
