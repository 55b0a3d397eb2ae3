import type { Query } from '@tanstack/react-query';
import { ApiError } from './api-error';

/** For an unreachable server: browsers do not report its return. */
const RETRY_EVERY_MS = 10_000;

/**
 * Includes the rate limit, which other people in the same network may have reached: it accepts the request a little
 * later.
 */
export function isTemporary(error: unknown): boolean {
  return error instanceof ApiError && (error.isTemporary || error.status === 429);
}

/** The `refetchInterval` of all queries. A query with an interval of its own calls it too. */
export function retryOfFailed({ state }: Pick<Query, 'state'>): number | false {
  return state.status === 'error' && isTemporary(state.error) ? RETRY_EVERY_MS : false;
}
