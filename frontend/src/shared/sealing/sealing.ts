/**
 * Sealed ballots in the browser. Load it lazily (`await import('…/shared/sealing/sealing')`): it is a file of its own, because
 * the voter's first load has no space for it.
 */
// biome-ignore-all lint/performance/noBarrelFile: the one file that is loaded lazily
export { fromBase64, toBase64 } from './bytes';
export { canSeal } from './can-seal';
export type { SealedAnswer } from './plaintext';
export { receiptCode } from './receipt';
export { type SecretBallot, seal } from './seal';
