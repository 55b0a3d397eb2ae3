import type { Meeting, Question, Quorum } from '../../../api/types';
import { formatNumber } from '../../../shared/format';
import type { LiveState } from '../../../shared/live/live-events';
import { measuredLive, presentWords, quorumSentence } from '../../../shared/result/chair-sentences';
import { shareOf, shareWords } from '../../../shared/result/result-words';
import type { QuorumState } from './quorum-text';

/** The effect of opening a question nevertheless. */
export const WITHOUT_QUORUM = 'Without a quorum, the vote decides nothing.';

/** The reason why a question should not be opened (`warn`) or cannot be (`bar`): too few are present. */
export interface OpeningObstacle {
  kind: 'warn' | 'bar';
  /** "Quorum not met: 64 present, 90 needed." */
  words: string;
}

/** The reason not to open the question now, as far as the live state shows it. The server decides. */
export function openingObstacle(
  question: Question,
  meeting: Pick<Meeting, 'quorum' | 'isSecondCall' | 'weightKindId'>,
  live: LiveState | null,
  /** The question on the screen, whose weight the live state counts. */
  shown: Question | undefined,
): OpeningObstacle | null {
  const state = live?.quorum;
  if (!state) {
    return null;
  }
  const kind = state.atOpening ?? 'warn';
  const { currentQuestion } = live;
  const planned = question.quorum ?? (currentQuestion ? meeting.quorum : null);
  const inForce = (meeting.isSecondCall ? planned?.secondCall : undefined) ?? planned;
  const asked = inForce ?? (currentQuestion ? null : state.quorum);
  if (asked?.unit === 'weight' && kindOf(question, meeting) !== kindOf(shown, meeting)) {
    // The live state counts another kind of weight.
    return null;
  }
  if (currentQuestion?.id !== question.id && !(asked && isSame(asked, state.quorum))) {
    return asked && measured(asked, state, kind);
  }
  // Before the opening there are no votes.
  return state.quorum.attendance === 'voted' || state.isMet
    ? null
    : { kind, words: quorumSentence(measuredLive(state)) };
}

/** The kind of weight of a question; null for the ordinary weight. */
function kindOf(
  question: Question | undefined,
  { weightKindId }: Pick<Meeting, 'weightKindId'>,
): string | null {
  return question?.weightKindId ?? weightKindId;
}

/**
 * Compares the people present with the quorum of a question that is not on the screen; the live figures belong to the
 * question on the screen. If the quorum prevents the opening, the server answers with its own figures.
 */
function measured(
  quorum: Quorum,
  { present, represented, eligible }: QuorumState,
  kind: OpeningObstacle['kind'],
): OpeningObstacle | null {
  const { unit, minimum = 0 } = quorum;
  if (kind === 'bar' || quorum.attendance === 'voted') {
    return null;
  }
  const share = shareOf(quorum);
  const attending = present[unit] + represented[unit];
  const there = exact(attending) * BigInt(share?.denominator ?? 1);
  const asked = share ? exact(eligible[unit]) * BigInt(share.numerator) : exact(minimum);
  const isMet = eligible[unit] > 0 && (share?.comparison === 'more_than' ? there > asked : there >= asked);
  const needed = share ? shareWords(share) : formatNumber(minimum);
  const weight = unit === 'heads' ? '' : 'weight ';
  return isMet
    ? null
    : {
        kind,
        words: `Quorum not met: ${weight}${formatNumber(attending)} of ${formatNumber(eligible[unit])} ${presentWords(represented.heads > 0)}, ${needed} needed.`,
      };
}

function isSame(left: Quorum, right: Quorum): boolean {
  return (
    left.comparison === right.comparison &&
    left.numerator === right.numerator &&
    left.denominator === right.denominator &&
    left.minimum === right.minimum &&
    left.unit === right.unit &&
    left.attendance === right.attendance
  );
}

const DECIMALS = 1_000_000;

/** Weights have at most six decimals: whole numbers are compared without rounding. */
function exact(amount: number): bigint {
  return BigInt(Math.round(amount * DECIMALS));
}
