import { session } from '../../api/session';
import type { User } from '../../api/types';
import { Runner } from '../../shared/diagnostics/run/runner';

/** What runs goes on while its page is away, at least until its data are deleted; so it belongs to no page. */
let latest: { userId: string; runner: Runner } | null = null;

/** The runner of whoever is signed in. Another person starts with an empty list of results. */
export function runnerOf({ id }: User): Runner {
  if (latest?.userId !== id) {
    latest = { userId: id, runner: new Runner() };
  }
  return latest.runner;
}

/** What was found out goes with whoever signs out. */
session.subscribe(() => {
  const state = session.state();
  if (state.status === 'anonymous' && !state.ended) {
    latest = null;
  }
});
