import type { Verdict } from '../run/finding';

/** Below it, an answer is fast. The limits come from the specification. */
export const FAST_MS = 500;
/** Below it, an answer is moderate; from it on, slow. */
export const MODERATE_MS = 1000;

export type Speed = 'fast' | 'moderate' | 'slow';

export function speedOf(milliseconds: number): Speed {
  if (milliseconds < FAST_MS) {
    return 'fast';
  }
  return milliseconds < MODERATE_MS ? 'moderate' : 'slow';
}

const VERDICTS: Record<Speed, Verdict> = { fast: 'success', moderate: 'warning', slow: 'error' };

export function verdictOf(speed: Speed): Verdict {
  return VERDICTS[speed];
}
