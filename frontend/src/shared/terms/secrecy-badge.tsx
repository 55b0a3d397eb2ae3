import type { Secrecy } from '../../api/types';
import { StatusBadge } from '../ui/status-badge';
import { SECRECY_NAMES } from './secrecy';

/** The level of secrecy of a vote, by name. */
export function SecrecyBadge({ secrecy }: { secrecy: Secrecy }) {
  return (
    <StatusBadge tone={secrecy === 'unshown' ? 'neutral' : 'info'}>{SECRECY_NAMES[secrecy]}</StatusBadge>
  );
}
