import type { QuorumState, Result } from '../../api/types';
import { formatNumber, withWholePercents } from '../format';

type Arithmetic = Result['arithmetic'];
type Check = Arithmetic['checks'][number];
/** The part of a check that its sentence needs. */
type CheckedShare = Pick<
  Check,
  'part' | 'whole' | 'base' | 'unit' | 'comparison' | 'numerator' | 'denominator' | 'isTie' | 'isMet'
>;
type QuorumResult = NonNullable<Arithmetic['quorum']>;

/** The figures of a quorum, of a result or of a running meeting. */
type MeasuredQuorum = Pick<QuorumResult, 'quorum' | 'attending' | 'isMet'> & {
  needed: Pick<NonNullable<QuorumResult['needed']>, 'amount' | 'isEnough'> | null;
};

/**
 * The decision with its reason, as a chair reads it out: "4 of 6 votes were yes; more than half was needed. Accepted."
 * The minutes use the same sentences. Rules without a majority, such as the most votes, keep the server's sentence.
 */
export function decisionSentence({ decision, arithmetic }: Pick<Result, 'decision' | 'arithmetic'>): string {
  const { checks, quorum, sentence } = arithmetic;
  if ((decision.outcome === 'accepted' || decision.outcome === 'rejected') && checks.length > 0) {
    const outcome = decision.outcome === 'accepted' ? 'Accepted' : 'Rejected';
    return `${checks.map(conditionSentence).join(' ')} ${outcome}.`;
  }
  if (decision.outcome === 'quorum_missed' && quorum) {
    return quorumSentence(quorum);
  }
  return `${withWholePercents(sentence)}.`;
}

/** "Quorum met: 8 present, 4 needed." By weight: "Quorum met: weight 8 present, 4 needed." */
export function quorumSentence(measured: MeasuredQuorum): string {
  return `Quorum ${measured.isMet ? 'met' : 'not met'}: ${quorumCounts(measured)}.`;
}

/** "8 present, 4 needed", or "weight 8 present, 4 needed" */
export function quorumCounts({ quorum, attending, needed }: MeasuredQuorum): string {
  const weight = quorum.unit === 'weight' ? 'weight ' : '';
  const attendance = quorum.attendance === 'present' ? 'present' : 'voted';
  return `${weight}${formatNumber(attending)} ${attendance}, ${neededWords(needed)}`;
}

/**
 * The quorum of a running meeting. If the needed amount is present and the quorum is not met, more than that amount is
 * needed.
 */
export function measuredLive({ quorum, attending, needed, isMet }: QuorumState): MeasuredQuorum {
  const isEnough = isMet || attending !== needed;
  return { quorum, attending, isMet, needed: needed === null ? null : { amount: needed, isEnough } };
}

function neededWords(needed: MeasuredQuorum['needed']): string {
  if (needed === null) {
    return 'nobody may vote';
  }
  return `${needed.isEnough ? '' : 'more than '}${formatNumber(needed.amount)} needed`;
}

const BASES: Record<Check['base'], { heads: string; weight: string }> = {
  yes_plus_no: { heads: ' votes', weight: '' },
  votes_cast: { heads: ' votes, abstentions included,', weight: ', abstentions included,' },
  votes_without_abstentions: { heads: ' votes without abstentions', weight: ' without abstentions' },
  whole_register: { heads: ' votes in the register', weight: ' in the register' },
  connected_at_opening: { heads: ' votes present', weight: ' present' },
};

/** "4 of 6 votes were yes; more than half was needed." By weight: "Weight 4 of 6 was yes; …" */
export function conditionSentence(check: CheckedShare): string {
  const counted = `${formatNumber(check.part)} of ${formatNumber(check.whole)}${BASES[check.base][check.unit]}`;
  const votes = check.unit === 'weight' ? `Weight ${counted} was yes` : `${counted} were yes`;
  const tie = check.isTie ? ` A tie is ${check.isMet ? 'accepted' : 'rejected'}.` : '';
  return `${votes}; ${comparisonWords(check)} was needed.${tie}`;
}

/** "more than half", or "at least 66.67 %": at most two decimals. The decision rule shows the exact fraction. */
export function comparisonWords({ comparison, numerator, denominator }: CheckedShare): string {
  const isHalf = numerator * 2 === denominator;
  const share = isHalf ? 'half' : `${Math.round((numerator * 10_000) / denominator) / 100} %`;
  return `${comparison === 'more_than' ? 'more than' : 'at least'} ${share}`;
}
