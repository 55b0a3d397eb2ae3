import type { VoterResult } from '../../../api/types';
import type { LiveState } from '../../../shared/live/live-events';
import { keyOf, openQuestion } from '../open-question';

/**
 * Whether a result may have been declared between two states. Voters receive no question whose voting has ended, unless it is void. So the
 * number of steps is compared: a declaration is one step more than opening or ending a vote.
 */
export function mayBeDeclared(previous: LiveState, next: LiveState): boolean {
  const steps = next.step - previous.step;
  return steps > (keyOf(openQuestion(previous)) === keyOf(openQuestion(next)) ? 0 : 1);
}

/** The last declared result, unless something is newer: a question was opened, or voted on. */
export function latestResult(results: VoterResult[], newer: (string | null)[]): VoterResult | null {
  const latest = results.reduce<VoterResult | null>(
    (last, one) => (last === null || declaredAt(one) >= declaredAt(last) ? one : last),
    null,
  );
  return latest !== null && newer.every((at) => timeOf(at) < declaredAt(latest)) ? latest : null;
}

function declaredAt({ result }: VoterResult): number {
  return timeOf(result.declared?.at ?? null);
}

function timeOf(iso: string | null): number {
  return iso === null ? 0 : Date.parse(iso);
}
