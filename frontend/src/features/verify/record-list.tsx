import type { RecordState } from '../../api/types';
import { formatDateTime } from '../../shared/format';
import { allGroups } from '../../shared/result/record-words';
import { StatusBadge } from '../../shared/ui/status-badge';
import classes from './verify-page.module.css';

/** Record hashes, each with this installation's knowledge about it. */
export function RecordList({ records }: { records: RecordState[] }) {
  return (
    <ul className={classes.records} aria-label="Records">
      {records.map(({ hash, isKnown, number, recordedAt }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a forged file may repeat a hash, and the list never changes.
        <li key={index} className={classes.record}>
          <span className={classes.hash}>{allGroups(hash)}</span>
          {isKnown && recordedAt ? (
            <span className={classes.state}>
              <StatusBadge tone="good">Known here</StatusBadge> Recorded on {formatDateTime(recordedAt)},
              record {number} of its meeting.
            </span>
          ) : (
            <span className={classes.state}>
              <StatusBadge tone="warning">Not known here</StatusBadge> This installation has no record with
              this hash.
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
