import { ApiError } from '../../../api/api-error';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 3_000;
/** Phones that lost the same server must not all retry at the same moment. */
const PAUSE_SPREAD = 0.5;

/**
 * Whether the outcome is open, so that the same ballots are sent again. This includes 401, because the person may sign in
 * again.
 */
export function isUndecided(error: unknown): boolean {
  return !(error instanceof ApiError) || [0, 401, 408, 429].includes(error.status) || error.status >= 500;
}

/**
 * The pauses before the next attempts with the same ballots: each is longer, or as long as the server asks. `end` is
 * called when the connection is back. A pause that the server asked for is kept nevertheless.
 */
export function retryPauses() {
  let nextMs = FIRST_PAUSE_MS;
  let end: (() => void) | undefined;
  return {
    wait: (error: unknown) =>
      new Promise<void>((resolve) => {
        const askedMs = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
        window.setTimeout(resolve, Math.max(askedMs, nextMs) * (1 + Math.random() * PAUSE_SPREAD));
        nextMs = Math.min(nextMs * 2, LONGEST_PAUSE_MS);
        end = askedMs > 0 ? undefined : resolve;
      }),
    end: () => end?.(),
  };
}
