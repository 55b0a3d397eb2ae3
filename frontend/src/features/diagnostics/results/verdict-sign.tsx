import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconLoader2 } from '@tabler/icons-react';
import type { ResultEntry } from '../../../shared/diagnostics/run/runner';
import { StatusBadge, type StatusTone } from '../../../shared/ui/status-badge';
import { wordOf } from './verdict-labels';

type Status = ResultEntry['status'];

const SHOWN: Record<Status, { tone: StatusTone; icon: typeof IconLoader2 }> = {
  running: { tone: 'info', icon: IconLoader2 },
  success: { tone: 'good', icon: IconCircleCheck },
  warning: { tone: 'warning', icon: IconAlertTriangle },
  error: { tone: 'danger', icon: IconCircleX },
};

/** The state of a test as a sign and a word; the color only repeats them. */
export function VerdictSign({ status }: { status: Status }) {
  const { tone, icon: Icon } = SHOWN[status];
  return (
    <StatusBadge tone={tone} sign={<Icon size={16} stroke={2} />} isRunning={status === 'running'}>
      {wordOf(status)}
    </StatusBadge>
  );
}
