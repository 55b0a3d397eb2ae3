import { VisuallyHidden } from '@mantine/core';
import { IconCloudOff, IconLoader2, IconPointFilled, IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import classes from './connection-status.module.css';
import { isReachable, type ConnectionStatus as Status } from './live-connection';

const SHOWN: Record<Status, { words: string; icon: typeof IconLoader2 }> = {
  connecting: { words: 'Connecting…', icon: IconLoader2 },
  live: { words: 'Connected', icon: IconPointFilled },
  delayed: { words: 'Updated every few seconds', icon: IconRefresh },
  polling: { words: 'Updated every few seconds', icon: IconRefresh },
  offline: { words: 'No connection', icon: IconCloudOff },
};

const SAID: Record<Status, string> = {
  connecting: 'Connecting again.',
  live: 'The connection is back.',
  delayed: 'This page is updated every few seconds now.',
  polling: 'This page is updated every few seconds now.',
  offline: 'The connection is lost.',
};

/** A shorter change is not worth an interruption. */
const SETTLED_AFTER_MS = 2_000;

/** The state of the connection in words. Screen readers announce a change that lasts. */
export function ConnectionStatus({ status }: { status: Status }) {
  const [wasReachable, setWasReachable] = useState(false);
  const said = useSettled(status);
  if (isReachable(status) && !wasReachable) {
    setWasReachable(true);
  }
  const { words, icon: Icon } = SHOWN[status];
  return (
    <span className={classes.root} data-status={status}>
      <Icon className={classes.icon} size={14} stroke={2} aria-hidden="true" />
      <span>{wasReachable && status === 'connecting' ? 'Reconnecting…' : words}</span>
      <VisuallyHidden role="status">{said === null ? '' : SAID[said]}</VisuallyHidden>
    </span>
  );
}

/** Null until a state differs from the first one, or from `live`. */
function useSettled(status: Status): Status | null {
  const [settled, setSettled] = useState<Status | null>(null);
  useEffect(() => {
    const timer = window.setTimeout(
      () =>
        setSettled((last) =>
          last === null && (status === 'live' || status === 'connecting') ? null : status,
        ),
      SETTLED_AFTER_MS,
    );
    return () => window.clearTimeout(timer);
  }, [status]);
  return settled;
}
