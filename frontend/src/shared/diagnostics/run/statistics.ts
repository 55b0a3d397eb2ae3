/** The latencies of some calls, in whole milliseconds. */
export interface Timing {
  calls: number;
  p50: number;
  p95: number;
  max: number;
}

/** The smallest value that at least this share (0 to 1) of the values do not exceed; 0 without values. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

export function timingOf(milliseconds: number[]): Timing {
  return {
    calls: milliseconds.length,
    p50: Math.round(percentile(milliseconds, 0.5)),
    p95: Math.round(percentile(milliseconds, 0.95)),
    max: Math.round(percentile(milliseconds, 1)),
  };
}

/** The number per second, to a tenth. */
export function perSecond(count: number, milliseconds: number): number {
  return milliseconds > 0 ? Math.round((count * 10_000) / milliseconds) / 10 : 0;
}
