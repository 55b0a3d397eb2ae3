import { basePath } from '../../../api/base-path';
import type { Portal } from '../../../shared/diagnostics/run/portal';
import type { ResultEntry } from '../../../shared/diagnostics/run/runner';
import { summaryOf } from './verdict-labels';

/** Fields of responses that must not be exported. */
const SECRET = new Set(['token', 'refreshToken', 'deviceToken', 'deviceTokens', 'password', 'credentials']);

/** Formatted JSON without secrets. */
export function jsonOf(value: unknown): string {
  const json = JSON.stringify(value, (key, one) => (SECRET.has(key) ? '(left out)' : one), 2);
  return json ?? 'null';
}

/** All results as a file, to send to support. */
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
