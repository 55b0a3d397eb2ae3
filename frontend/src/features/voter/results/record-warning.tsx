import { useState } from 'react';
import type { Result } from '../../../api/types';
import { firstGroups } from '../../../shared/result/record-words';
import { text } from '../../../shared/shape';
import { device, readNote, writeNote } from '../../../shared/storage';
import { WarningNote } from '../../../shared/ui/warning-note';

interface RecordWarningProps {
  record: Result['record'];
  roundId: string;
}

/** This device keeps the first hash that it saw, and warns about another one. Never hidden in the details. */
export function RecordWarning({ record, roundId }: RecordWarningProps) {
  const hash = record?.hash;
  const [kept] = useState(() => (hash === undefined ? undefined : keepRecord(roundId, hash)));
  return kept === undefined || kept === hash ? null : (
    <WarningNote>
      This device has seen another record of this result before: {firstGroups(kept)}. Tell the people who run
      the meeting.
    </WarningNote>
  );
}

/** Keeps the first hash of a round's record, and returns it. It stays after signing out, as evidence of the result. */
function keepRecord(roundId: string, hash: string): string {
  const key = `record_${roundId}`;
  const kept = readNote(device, key, text);
  if (kept === null) {
    writeNote(device, key, hash);
  }
  return kept ?? hash;
}
