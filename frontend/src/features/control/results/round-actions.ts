import type { Result, Round } from '../../../api/types';

/** Actions on an ended round. An action that is not possible is null. */
export interface RoundActions {
  onCount: (round: Round) => void;
  isCounting: boolean;
  /** The round that the question's panel offers to count. */
  countsInPanel: string | null;
  onDeclare: (round: Round, result: Result) => void;
  isDeclaring: boolean;
  onRevote: (() => void) | null;
  /** Puts the question, and with it its declared result, on the big screen; null where it is there. */
  onShow: (() => void) | null;
  onShowMissing: (round: Round) => void;
}
