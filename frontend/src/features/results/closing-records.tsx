import type { MeetingResults } from '../../api/types';
import { countOf, formatDateTime } from '../../shared/format';
import { allGroups } from '../../shared/result/record-words';
import { timestampWords } from '../../shared/result/timestamp-words';
import { Card } from '../../shared/ui/card';
import { WarningNote } from '../../shared/ui/warning-note';
import { changedField, changedText } from './amendment-words';
import classes from './closing-records.module.css';

type Parts = Pick<MeetingResults, 'closings' | 'amendments' | 'closingDamage'>;

/** The signed closing records of the meeting, and the changes afterwards. */
export function ClosingRecords({ closings, amendments, closingDamage }: Parts) {
  if (closings.length === 0 && closingDamage.length === 0) {
    return null;
  }
  return (
    <Card
      title="Closing record"
      description="Written and signed when the meeting ended. Later changes stand beside it and never change it."
    >
      {closingDamage.length > 0 ? (
        <WarningNote>{closingDamage.join(' ')} Ask the operator of this installation.</WarningNote>
      ) : null}
      <ul className={classes.list} aria-label="Closing records">
        {closings.map((closing) => (
          <ClosingEntry key={closing.hash} closing={closing} />
        ))}
      </ul>
      {amendments.length > 0 ? (
        <>
          <h3 className={classes.heading}>Changes after the end</h3>
          <ol className={classes.list} aria-label="Changes after the end">
            {amendments.map((amendment) => (
              <li key={amendment.number} className={classes.entry}>
                <strong>{changedField(amendment)}</strong>
                <p className={classes.text} dir="auto">
                  {changedText(amendment)}
                </p>
                <span className={classes.quiet}>
                  {formatDateTime(amendment.at)}, {amendment.by ?? 'nobody signed in'}
                </span>
              </li>
            ))}
          </ol>
        </>
      ) : null}
    </Card>
  );
}

function ClosingEntry({ closing }: { closing: MeetingResults['closings'][number] }) {
  const { record, hash, key, timestamp } = closing;
  return (
    <li className={classes.entry}>
      <strong dir="auto">
        {record.number}. {record.meeting.title}
      </strong>
      <span>
        {countOf(record.records.length, 'result', 'results')},{' '}
        {countOf(record.remarks.length, 'remark', 'remarks')},{' '}
        {countOf(record.attendance.length, 'attendance note', 'attendance notes')}.
        {record.isRecordedLater ? ' It was recorded later.' : ''}
      </span>
      <span className={classes.quiet}>
        {formatDateTime(record.recordedAt)}. Record {allGroups(hash)}, signed with the key {allGroups(key)}
        {timestamp ? `. ${timestampWords(timestamp)}` : ''}
      </span>
    </li>
  );
}
