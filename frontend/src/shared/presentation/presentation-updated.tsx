import { IconCloudOff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { countOf, formatTime } from '../format';
import type { ConnectionStatus } from '../live/live-connection';
import { serverNow } from '../live/server-clock';
import { useNow } from '../live/use-now';
import classes from './presentation-updated.module.css';

interface PresentationUpdatedProps {
  connection: ConnectionStatus;
  /** When the server was last heard, by this device's clock. */
  heardAt: number | null;
}

/** The server speaks every 15 s. After this a broken stream is more than a change of streams, which is no news. */
const SILENCE_MS = 20_000;

/** How old is what the presentation shows: quiet while the server is heard, an age when it is not. */
export function PresentationUpdated({ connection, heardAt }: PresentationUpdatedProps) {
  const now = useNow(1_000);
  const heard = useMemo(
    () => (heardAt === null ? null : new Date(serverNow() - (Date.now() - heardAt)).toISOString()),
    [heardAt],
  );
  if (heardAt === null || heard === null) {
    return null;
  }
  const ageMs = now - heardAt;
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
      Last update <time>{formatTime(heard)}</time>
    </span>
  );
}

/** In steps of ten seconds, then minutes, then hours: a number that runs draws every eye in the hall. */
export function ageInWords(ageMs: number): string {
  const seconds = Math.floor(Math.max(0, ageMs) / 10_000) * 10;
  if (seconds < 60) {
    return seconds === 0 ? 'a moment' : countOf(seconds, 'second');
  }
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? countOf(minutes, 'minute') : countOf(Math.floor(minutes / 60), 'hour');
}
