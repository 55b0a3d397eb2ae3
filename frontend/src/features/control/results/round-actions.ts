import type { Result, Round } from '../../../api/types';

/** Actions on an ended round. An action that is not possible is null. */
export interface RoundActions {
  onCount: (round: Round) => void;
  isCounting: boolean;
  /** Counting opens the urn of a secret vote. */
  isSecret: boolean;
  /** The key of the last round is lost, so it cannot be counted. */
  isVoid: boolean;
  /** The round that the question's panel offers to count. */
  countsInPanel: string | null;
  onDeclare: (round: Round, result: Result) => void;
  isDeclaring: boolean;
  /** The round that the question's panel offers to declare. */
  declaresInPanel: string | null;
  onRevote: (() => void) | null;
  /** Shows the question on the presentation, with its declared result; null if it is there already. */
  onShow: (() => void) | null;
  onShowMissing: (round: Round) => void;
  /** Opens the answers to a text question. */
  onShowAnswers: (round: Round) => void;
}
