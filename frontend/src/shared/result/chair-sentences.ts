import type { QuorumState, Result } from '../../api/types';
import { formatNumber, withWholePercents } from '../format';
import {
  type CountedKinds,
  kindsOf,
  type NamedKind,
  type NamedKinds,
  unitAfter,
  weightName,
} from './weight-names';

type Arithmetic = Result['arithmetic'];
type Check = Arithmetic['checks'][number];
/** The part of a check that its sentence needs. */
type CheckedShare = Pick<
  Check,
  | 'part'
  | 'whole'
  | 'base'
  | 'unit'
  | 'comparison'
  | 'numerator'
  | 'denominator'
  | 'isTie'
  | 'isMet'
  | 'group'
  | 'alternative'
  | 'blocking'
>;
/** The part of a result that says how a tie is decided, and whether people were represented. */
type CheckTerms = Partial<Pick<Result, 'decision' | 'decisionRule' | 'castingVote' | 'represented'>>;
type DecidedResult = Pick<Result, 'decision' | 'arithmetic'> & CheckTerms & CountedKinds;
type QuorumResult = NonNullable<Arithmetic['quorum']>;

/** The figures of a quorum, of a result or of a running meeting. */
type MeasuredQuorum = Pick<QuorumResult, 'quorum' | 'attending' | 'isMet'> & {
  needed: Pick<NonNullable<QuorumResult['needed']>, 'amount' | 'isEnough'> | null;
  /** The kind that is counted as weight. */
  weightKind?: NamedKind;
  /** Whether people are among them who are not present, and for whom the holder of their proxy is. */
  hasProxies?: boolean;
};

/**
 * The decision with its reason, as a chair reads it out: "4 of 6 votes were yes; more than half was needed. Accepted."
 * The minutes use the same sentences. Rules without a majority, such as the most votes, keep the server's sentence.
 */
export function decisionSentence(result: DecidedResult): string {
  const { decision, arithmetic } = result;
  const { checks, quorum, sentence } = arithmetic;
  const outcome = MAJORITY_OUTCOMES[decision.outcome];
  if (outcome && checks.length > 0) {
    return `${checks.map((check) => conditionSentence(check, result, kindsOf(result))).join(' ')} ${outcome}.`;
  }
  if (decision.outcome === 'quorum_missed' && quorum) {
    return quorumSentence(measuredIn(quorum, result));
  }
  return `${withWholePercents(sentence)}.`;
}

/** The outcomes of a majority. */
const MAJORITY_OUTCOMES: Partial<Record<Result['decision']['outcome'], string>> = {
  accepted: 'Accepted',
  rejected: 'Rejected',
  casting_vote_open: 'Casting vote open',
};

/** The quorum of a result in a sentence. Null without a quorum. */
export function quorumSentenceOf(
  result: Pick<Result, 'arithmetic'> & CheckTerms & CountedKinds,
): string | null {
  const { quorum } = result.arithmetic;
  return quorum ? quorumSentence(measuredIn(quorum, result)) : null;
}

/** The quorum of a result. */
function measuredIn(
  quorum: QuorumResult,
  { represented, weightKind }: CheckTerms & CountedKinds,
): MeasuredQuorum {
  return { ...quorum, weightKind, hasProxies: hasHeads(represented) };
}

function hasHeads(count: Result['represented'] | null): boolean {
  return (count?.heads ?? 0) > 0;
}

/**
 * "Quorum met: 8 present, 4 needed." By weight: "Quorum met: weight 8 present, 4 needed." With proxies: "Quorum met: 8
 * present or represented, 4 needed."
 */
export function quorumSentence(measured: MeasuredQuorum): string {
  return `Quorum ${measured.isMet ? 'met' : 'not met'}: ${quorumCounts(measured)}.`;
}

/** "8 present, 4 needed", or "weight 8 present or represented, 4 needed" */
export function quorumCounts({ quorum, attending, needed, weightKind, hasProxies }: MeasuredQuorum): string {
  const weight = quorum.unit === 'weight' ? `${weightName(weightKind)} ` : '';
  const attendance = quorum.attendance === 'present' ? presentWords(hasProxies) : 'voted';
  return `${weight}${formatNumber(attending)} ${attendance}, ${neededWords(needed)}`;
}

/** "present", or "present or represented" where the figure has both. */
export function presentWords(hasProxies = false): string {
  return hasProxies ? 'present or represented' : 'present';
}

/**
 * The quorum of a running meeting. If the needed amount is present and the quorum is not met, more than that amount is
 * needed.
 */
export function measuredLive(state: QuorumState): MeasuredQuorum {
  const { quorum, attending, needed, isMet, weightKind, represented } = state;
  const isEnough = isMet || attending !== needed;
  const named = weightKind ? { weightKind } : {};
  return {
    quorum,
    attending,
    isMet,
    hasProxies: hasHeads(represented),
    needed: needed === null ? null : { amount: needed, isEnough },
    ...named,
  };
}

/** The place of the needed amount on a bar of the register, in percent: at its end if more is needed than there is. */
export function neededPercent({ quorum, eligible, needed }: QuorumState): number {
  const { numerator, denominator } = quorum;
  if (numerator !== undefined && denominator !== undefined) {
    return (numerator / denominator) * 100;
  }
  const all = eligible[quorum.unit];
  return needed === null || all === 0 ? 100 : Math.min(100, (needed / all) * 100);
}

function neededWords(needed: MeasuredQuorum['needed']): string {
  if (needed === null) {
    return 'nobody may vote';
  }
  return `${needed.isEnough ? '' : 'more than '}${formatNumber(needed.amount)} needed`;
}

/** The base of a check, after a number of votes or a weight. */
function baseAfter(base: Check['base'], hasProxies: boolean): string {
  switch (base) {
    case 'yes_plus_no':
      return '';
    case 'votes_cast':
      return ', abstentions included,';
    case 'votes_without_abstentions':
      return ' without abstentions';
    case 'whole_register':
      return ' in the register';
    case 'connected_at_opening':
      return ` ${presentWords(hasProxies)}`;
  }
}

/** "4 of 6 votes were yes; more than half was needed." */
export function conditionSentence(
  check: CheckedShare,
  result: CheckTerms = {},
  kinds: NamedKinds = {},
): string {
  const votes = votesWords(check, baseAfter(check.base, hasHeads(result.represented)), kinds);
  const within = check.group === undefined ? '' : `${check.group}: `;
  const or = check.alternative ? 'Or: ' : '';
  const needed = `${comparisonWords(check)} ${shareText(check).verb} needed.`;
  return `${within}${or}${votes}; ${needed}${tieWords(check, result)}${minorityWords(check)}`;
}

/** "4 of 6 votes were yes". By weight: "By weight, 4 of 6 were yes", or "Floor area: 4 of 6 m² were yes". */
function votesWords({ part, whole, unit }: CheckedShare, base: string, kinds: NamedKinds): string {
  const counted = `${formatNumber(part)} of ${formatNumber(whole)}`;
  const were = part === 1 || whole === 1 ? 'was' : 'were';
  if (unit === 'heads') {
    return `${counted} ${whole === 1 ? 'vote' : 'votes'}${base} ${were} yes`;
  }
  const isSecond = unit === 'second_weight';
  const kind = isSecond ? kinds.secondWeightKind : kinds.weightKind;
  return kind
    ? `${kind.name}: ${counted}${unitAfter(kind)}${base} ${were} yes`
    : `By ${isSecond ? 'second ' : ''}weight, ${counted}${base} ${were} yes`;
}

/** " A tie is rejected.", or " A tie: the casting vote of Ada Young is yes." */
function tieWords({ isTie, isMet, group }: CheckedShare, terms: CheckTerms): string {
  const { decision, decisionRule, castingVote } = terms;
  if (!isTie) {
    return '';
  }
  const hasCastingVote = decisionRule?.kind === 'majority' && decisionRule.onTie === 'casting_vote';
  if (!hasCastingVote || group !== undefined) {
    return ` A tie is ${isMet ? 'accepted' : 'rejected'}.`;
  }
  if (castingVote) {
    return ` A tie: the casting vote of ${castingVote.castBy} is ${castingVote.inFavor ? 'yes' : 'no'}.`;
  }
  return decision?.outcome === 'casting_vote_open'
    ? ' A tie: the casting vote is open.'
    : ' A tie: a casting vote would not change the result.';
}

/** " 3 people are not in favor; a blocking minority has 4." */
function minorityWords({ blocking }: CheckedShare): string {
  if (!blocking) {
    return '';
  }
  const people = blocking.against === 1 ? '1 person is' : `${formatNumber(blocking.against)} people are`;
  return ` ${people} not in favor; a blocking minority has ${formatNumber(blocking.minority)}.`;
}

/** "more than half", or "at least two thirds" */
export function comparisonWords(share: NeededShare): string {
  return `${share.comparison === 'more_than' ? 'more than' : 'at least'} ${shareText(share).text}`;
}

type NeededShare = Pick<CheckedShare, 'comparison' | 'numerator' | 'denominator'>;

/** The fractions with a name, as numerator and denominator. */
const NAMED_SHARES = [
  { of: 1, all: 2, text: 'half', verb: 'was' },
  { of: 1, all: 3, text: 'one third', verb: 'was' },
  { of: 2, all: 3, text: 'two thirds', verb: 'were' },
];

/**
 * "half", "two thirds", "75 %" or "5/32", with its verb. Nothing is rounded: 66.66 % are fewer than 66.67 %, and 2 of 3
 * votes are two thirds.
 */
function shareText({ numerator, denominator }: NeededShare): { text: string; verb: string } {
  const named = NAMED_SHARES.find(({ of, all }) => numerator * all === denominator * of);
  if (named) {
    return named;
  }
  if ((numerator * 10_000) % denominator === 0) {
    return { text: `${(numerator * 10_000) / denominator / 100} %`, verb: 'was' };
  }
  return { text: `${numerator}/${denominator}`, verb: numerator === 1 ? 'was' : 'were' };
}
