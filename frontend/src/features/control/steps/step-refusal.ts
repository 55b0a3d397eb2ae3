import type { StepKind } from './step-commands';
import type { Refusal } from './use-steps';

type RefusalPlace = 'header' | 'question' | 'results' | 'revote';

/** The part of the screen that shows the refusal of a step; by default, the question. */
const PLACES: Partial<Record<StepKind, RefusalPlace>> = {
  begin: 'header',
  finish: 'header',
  declare: 'results',
  revote: 'revote',
};

/** The reason of the last refused step, if it belongs to this place of the screen. */
export function refusalAt(place: RefusalPlace, refusal: Refusal | null): string | null {
  return refusal && (PLACES[refusal.kind] ?? 'question') === place ? refusal.message : null;
}
