import { IconCloudOff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { countOf, formatTime } from '../format';
import type { ConnectionStatus } from '../live/live-connection';
import { serverNow } from '../live/server-clock';
import { useNow } from '../live/use-now';
import classes from './presentation-updated.module.css';

interface PresentationUpdatedProps {
  connection: ConnectionStatus;
  /** The time of the server's last message, by this device's clock. */
  lastContactAt: number | null;
}

/** The server sends at least every 15 s. A shorter interruption is an ordinary reconnect and not shown. */
const SILENCE_MS = 20_000;

/** The age of the shown state: small while the server answers, prominent when it does not. */
export function PresentationUpdated({ connection, lastContactAt }: PresentationUpdatedProps) {
  const now = useNow(1_000);
  const lastContact = useMemo(
    () =>
      lastContactAt === null ? null : new Date(serverNow() - (Date.now() - lastContactAt)).toISOString(),
    [lastContactAt],
  );
  if (lastContactAt === null || lastContact === null) {
    return null;
  }
  const ageMs = now - lastContactAt;
  if (connection === 'offline' || (connection === 'connecting' && ageMs > SILENCE_MS)) {
    return (
      <span className={classes.root} data-lost="true">
        <IconCloudOff className={classes.icon} stroke={2} aria-hidden="true" />
        <span>No connection, last update {ageInWords(ageMs)} ago</span>
      </span>
    );
  }
  return (
    <span className={classes.root}>
      Last update <time>{formatTime(lastContact)}</time>
    </span>
  );
}

/** In steps of ten seconds, then minutes, then hours: a running number would distract the hall. */
export function ageInWords(ageMs: number): string {
  const seconds = Math.floor(Math.max(0, ageMs) / 10_000) * 10;
  if (seconds < 60) {
    return seconds === 0 ? 'a moment' : countOf(seconds, 'second');
  }
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? countOf(minutes, 'minute') : countOf(Math.floor(minutes / 60), 'hour');
}
