import type { ElectionMethod } from './election-types';

/** All methods, in the order of the editor. Apart from their names, which voters' phones do not need. */
export const ELECTION_METHODS = [
  'per_candidate',
  'plurality',
  'cumulative',
  'approval',
  'irv',
  'stv_scottish',
  'schulze',
  'borda',
  'score',
  'lists',
] as const satisfies ElectionMethod[];
