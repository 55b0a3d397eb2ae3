import type { Caller } from '../run/caller';
import type { Verdict } from '../run/finding';
import { percentile } from '../run/statistics';
import { bodyOf } from '../run/unexpected';
import { FAST_MS } from './speed';

/** From here on one statement, there and back, takes so long that every screen feels it. */
export const SLUGGISH_STATEMENT_MS = 50;
/** From here on a hall that votes at once would wait for seconds. */
const SLOW_STATEMENT_MS = 250;
const READINGS = 5;

/** Where the time goes. */
export interface Route {
  /** One statement of the server to its database, there and back: the median of several. */
  databaseMs: number;
  /** A request that asks the database nothing: the median of several. */
  healthMs: number;
}

export async function measuredRoute(caller: Caller): Promise<Route> {
  const statements: number[] = [];
  const requests: number[] = [];
  for (let reading = 0; reading < READINGS; reading += 1) {
    const database = await caller.get('/test/database');
    statements.push(bodyOf<{ details: { latencyMs: number } }>(database, 200).details.latencyMs);
    const health = await caller.as(null).get('/health');
    bodyOf(health, 200);
    requests.push(health.ms);
  }
  return { databaseMs: tenths(percentile(statements, 0.5)), healthMs: tenths(percentile(requests, 0.5)) };
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

export function databaseVerdict({ databaseMs }: Route): Verdict {
  if (databaseMs < SLUGGISH_STATEMENT_MS) {
    return 'success';
  }
  return databaseMs < SLOW_STATEMENT_MS ? 'warning' : 'error';
}

/**
 * What makes something take so long, in a sentence: the way to the server, the database, or the server itself. Where a
 * request that does nothing takes most of the time, nothing else has to be looked for.
 */
export function causeOf(slowMs: number, route: Route): string {
  const { databaseMs, healthMs } = route;
  if (healthMs >= FAST_MS || healthMs >= slowMs / 2) {
    return `The connection to the server is slow: /health, which does not use the database, takes ${healthMs} ms. Check the network, the proxy and the load of the server's machine.`;
  }
  if (databaseMs >= SLUGGISH_STATEMENT_MS) {
    return databaseSentence(route);
  }
  return `The server itself is slow, not the connection (/health takes ${healthMs} ms) or the database (one statement takes ${databaseMs} ms). Check the load of its machine, and run Database Schema: an index may be missing.`;
}

export function databaseSentence({ databaseMs }: Route): string {
  return `The database is slow: one statement takes ${databaseMs} ms round trip. Check the database's machine and the network between it and the server.`;
}
