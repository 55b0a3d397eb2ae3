import type { ResultEntry } from '../../../shared/diagnostics/run/runner';
import { countOf } from '../../../shared/format';

const WORDS: Record<ResultEntry['status'], string> = {
  running: 'Running',
  success: 'Success',
  warning: 'Warning',
  error: 'Error',
};

export function wordOf(status: ResultEntry['status']): string {
  return WORDS[status];
}

/** "12 passed, 1 warning, 0 errors" of the tests that have ended. */
export function summaryOf(results: readonly ResultEntry[]): string {
  const numberOf = (status: ResultEntry['status']) => results.filter((one) => one.status === status).length;
  return [
    `${numberOf('success')} passed`,
    countOf(numberOf('warning'), 'warning'),
    countOf(numberOf('error'), 'error'),
  ].join(', ');
}

/** "120 ms", "2.4 s", "1 min 15 s" */
export function durationOf(ms: number): string {
  if (ms < 1000) {
    return `${ms} ms`;
  }
  const seconds = ms / 1000;
  return seconds < 60
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
