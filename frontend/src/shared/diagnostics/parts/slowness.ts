import type { Caller } from '../run/caller';
import type { Verdict } from '../run/finding';
import { percentile } from '../run/statistics';
import { bodyOf } from '../run/unexpected';
import { FAST_MS } from './speed';

/** The duration of one round trip to the database from which every screen feels slow. */
export const SLUGGISH_STATEMENT_MS = 50;
/** The duration from which all voters of a hall that vote at once would wait for seconds. */
const SLOW_STATEMENT_MS = 250;
const READINGS = 5;

/** The parts of a response time. */
export interface Route {
  /** One round trip of a statement from the server to its database: the median of several. */
  databaseMs: number;
  /** A request that does not use the database: the median of several. */
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
 * Names the cause of a slow response, in a sentence: the connection to the server, the database, or the server itself.
 * If a request that does nothing takes most of the time, the connection is the cause.
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
