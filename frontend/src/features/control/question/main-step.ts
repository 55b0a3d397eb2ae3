import type { Result, Round } from '../../../api/types';
import type { RoundEnd } from '../agenda/agenda-state';
import { waitsForTie } from '../results/waits-for-tie';

/** A counted round that is not declared, and its result once that is loaded. */
export interface CountedRound {
  round: Round;
  result: Result | null;
}

/** The step of the big button. `tie`: the result cannot be declared before its tie is decided. */
export type MainStep = 'start' | 'end' | 'count' | 'declare' | 'tie' | 'revote';

interface Moment {
  isOpen: boolean;
  /** The key of the last round is lost, so it cannot be counted or opened again. */
  isVoid: boolean;
  /** The round that can be counted. */
  countable: Round | null;
  counted: CountedRound | null;
  ended: RoundEnd | null;
}

/** The usual next step of a question. */
export function mainStepOf({ isOpen, isVoid, countable, counted, ended }: Moment): MainStep {
  if (isOpen) {
    return 'end';
  }
  if (isVoid) {
    return 'revote';
  }
  if (countable) {
    return 'count';
  }
  if (ended === 'counted') {
    return counted?.result && waitsForTie(counted.result) ? 'tie' : 'declare';
  }
  return ended === 'declared' ? 'revote' : 'start';
}
