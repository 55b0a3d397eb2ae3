import type { ClientStatus } from '../../api/types';
import { StatusBadge, type StatusTone } from '../../shared/ui/status-badge';

const SHOWN: Record<ClientStatus, { word: string; tone: StatusTone }> = {
  ACTIVE: { word: 'Active', tone: 'good' },
  INACTIVE: { word: 'Inactive', tone: 'neutral' },
  SUSPENDED: { word: 'Suspended', tone: 'danger' },
};

export function ClientStatusBadge({ status }: { status: ClientStatus }) {
  return <StatusBadge tone={SHOWN[status].tone}>{SHOWN[status].word}</StatusBadge>;
}
