import type { MeetingStatus } from '../../api/types';
import { StatusBadge, type StatusTone } from './status-badge';

const SHOWN: Record<MeetingStatus, { word: string; tone: StatusTone }> = {
  DRAFT: { word: 'Draft', tone: 'neutral' },
  SCHEDULED: { word: 'Scheduled', tone: 'info' },
  ACTIVE: { word: 'Active', tone: 'good' },
  COMPLETED: { word: 'Completed', tone: 'neutral' },
  CANCELLED: { word: 'Cancelled', tone: 'danger' },
};

export function MeetingStatusBadge({ status }: { status: MeetingStatus }) {
  return <StatusBadge tone={SHOWN[status].tone}>{SHOWN[status].word}</StatusBadge>;
}
