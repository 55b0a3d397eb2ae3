import type { ClientStatus } from '../../api/types';
import { StatusBadge, type StatusTone } from '../../shared/ui/status-badge';
import { clientStatusLabel } from './client-statuses';

const TONE: Record<ClientStatus, StatusTone> = {
  ACTIVE: 'good',
  INACTIVE: 'neutral',
  SUSPENDED: 'danger',
};

export function ClientStatusBadge({ status }: { status: ClientStatus }) {
  return <StatusBadge tone={TONE[status]}>{clientStatusLabel(status)}</StatusBadge>;
}
