import { session } from '../../api/session';
import type { User } from '../../api/types';
import { Runner } from '../../shared/diagnostics/run/runner';

/** A run continues while its page is closed, at least until its data are deleted. So the runner belongs to no page. */
let latest: { userId: string; runner: Runner } | null = null;

/** The runner of the signed-in person. Another person starts with an empty list of results. */
export function runnerOf({ id }: User): Runner {
  if (latest?.userId !== id) {
    latest = { userId: id, runner: new Runner() };
  }
  return latest.runner;
}

/** Signing out discards the results. */
session.subscribe(() => {
  const state = session.state();
  if (state.status === 'anonymous' && !state.ended) {
    latest = null;
  }
});
