import type { ConnectionStatus } from '../../shared/live/live-connection';
import { Notice } from './notice';

/** Shown only while the server does not answer; the badge in the header shows the rest. */
export function ConnectionNotice({ status, hasState }: { status: ConnectionStatus; hasState: boolean }) {
  if (status !== 'offline') {
    return null;
  }
  return (
    <Notice tone="waiting" title={hasState ? 'No connection' : 'Failed to connect for real-time updates'}>
      <p>This page reconnects automatically. It may be out of date until then. Stored votes are safe.</p>
    </Notice>
  );
}
