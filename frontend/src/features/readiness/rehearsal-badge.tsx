import {
  IconAlertTriangle,
  IconCheck,
  IconPlugConnected,
  IconPlugConnectedX,
  IconUserQuestion,
} from '@tabler/icons-react';
import type { RehearsalStatus } from '../../api/types';
import { StatusBadge, type StatusTone } from '../../shared/ui/status-badge';

interface Shown {
  word: string;
  tone: StatusTone;
  icon: typeof IconCheck;
}

const PRESENT: Shown = { word: 'Connected', tone: 'good', icon: IconPlugConnected };

const SHOWN: Record<RehearsalStatus, Shown> = {
  answered: { word: 'Answered', tone: 'good', icon: IconCheck },
  received: { word: 'Received, no answer', tone: 'warning', icon: IconAlertTriangle },
  connected: { word: 'Connected, no answer', tone: 'warning', icon: IconAlertTriangle },
  absent: { word: 'Not connected', tone: 'neutral', icon: IconPlugConnectedX },
  never_signed_in: { word: 'Never signed in', tone: 'danger', icon: IconUserQuestion },
};

/** The state of one person: a sign and a word. `isHeld`: a rehearsal runs or has run. */
export function RehearsalBadge({ status, isHeld }: { status: RehearsalStatus; isHeld: boolean }) {
  const { word, tone, icon: Icon } = status === 'connected' && !isHeld ? PRESENT : SHOWN[status];
  return (
    <StatusBadge tone={tone} sign={<Icon size={14} stroke={2} />}>
      {word}
    </StatusBadge>
  );
}
