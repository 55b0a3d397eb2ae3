import type { ClientStatus } from '../../api/types';
import { clientStatusLabel } from '../client-statuses';
import { StatusBadge, type StatusTone } from './status-badge';

const TONE: Record<ClientStatus, StatusTone> = {
  ACTIVE: 'good',
  INACTIVE: 'neutral',
  SUSPENDED: 'danger',
};

export function ClientStatusBadge({ status }: { status: ClientStatus }) {
  return <StatusBadge tone={TONE[status]}>{clientStatusLabel(status)}</StatusBadge>;
}
