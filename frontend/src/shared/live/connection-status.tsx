import { IconCloudOff, IconLoader2, IconPointFilled, IconRefresh } from '@tabler/icons-react';
import classes from './connection-status.module.css';
import type { ConnectionStatus as Status } from './live-connection';

const SHOWN: Record<Status, { words: string; icon: typeof IconLoader2 }> = {
  connecting: { words: 'Connecting…', icon: IconLoader2 },
  live: { words: 'Live', icon: IconPointFilled },
  polling: { words: 'Updated every few seconds', icon: IconRefresh },
  offline: { words: 'No connection', icon: IconCloudOff },
};

/** The state of the connection in words; screen readers hear when it changes. */
export function ConnectionStatus({ status }: { status: Status }) {
  const { words, icon: Icon } = SHOWN[status];
  return (
    <span className={classes.root} data-status={status} role="status">
      <Icon className={classes.icon} size={14} stroke={2} aria-hidden="true" />
      {words}
    </span>
  );
}
