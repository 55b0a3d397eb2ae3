export type Verdict = 'success' | 'warning' | 'error';

/** The result of a test. */
export interface Finding {
  verdict: Verdict;
  /** One sentence for people: the observation, and the remedy if something is wrong. */
  message: string;
  /** Figures and names, shown as JSON. */
  details?: unknown;
}

export const success = (message: string, details?: unknown): Finding => ({
  verdict: 'success',
  message,
  details,
});
export const warning = (message: string, details?: unknown): Finding => ({
  verdict: 'warning',
  message,
  details,
});
export const failure = (message: string, details?: unknown): Finding => ({
  verdict: 'error',
  message,
  details,
});

const BADNESS: Record<Verdict, number> = { success: 0, warning: 1, error: 2 };

/** The worst of several verdicts; success if there are none. */
export function worst(verdicts: Verdict[]): Verdict {
  return verdicts.reduce<Verdict>((worse, one) => (BADNESS[one] > BADNESS[worse] ? one : worse), 'success');
}
