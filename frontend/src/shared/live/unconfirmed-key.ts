import type { Secrecy } from '../../api/types';

interface SealableQuestion {
  isActive: boolean;
  secrecy: Secrecy;
  sealing: unknown;
}

/** Whether voting on a secret question is open, and the server cannot confirm the key for which ballots are sealed. */
export function isKeyUnconfirmed({ isActive, secrecy, sealing }: SealableQuestion): boolean {
  return isActive && secrecy === 'secret' && sealing === null;
}
