import { basePath } from '../../../api/base-path';
import type { Portal } from '../../../shared/diagnostics/run/portal';
import type { ResultEntry } from '../../../shared/diagnostics/run/runner';
import { summaryOf } from './verdict-labels';

/** What an answer may have in it and nobody else should read. */
const SECRET = new Set(['token', 'refreshToken', 'deviceToken', 'deviceTokens', 'password', 'credentials']);

/** Formatted, without secrets. */
export function jsonOf(value: unknown): string {
  const json = JSON.stringify(value, (key, one) => (SECRET.has(key) ? '(left out)' : one), 2);
  return json ?? 'null';
}

/** All results as a file, for whoever is asked for help. */
export function reportOf(portal: Portal, results: readonly ResultEntry[], now: Date): string {
  return jsonOf({
    product: 'Plenum',
    address: `${window.location.origin}${basePath}`,
    portal,
    madeAt: now.toISOString(),
    browser: navigator.userAgent,
    summary: summaryOf(results),
    results: results.map(({ id: _, at, ...result }) => ({ ...result, at: at.toISOString() })),
  });
}

/** "plenum-tests-2026-11-21-2249.json" */
export function fileNameOf(now: Date): string {
  const [day, time = ''] = now.toISOString().split('T');
  return `plenum-tests-${day}-${time.slice(0, 5).replace(':', '')}.json`;
}
