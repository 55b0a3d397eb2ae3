import { useState } from 'react';
import type { Result } from '../../../api/types';
import { firstGroups } from '../../../shared/result/record-words';
import { recordNotes } from '../../../shared/storage';
import { WarningNote } from '../../../shared/ui/warning-note';

interface RecordWarningProps {
  record: Result['record'];
  roundId: string;
}

/** This device keeps the first hash that it saw, and warns about another one. Never hidden in the details. */
export function RecordWarning({ record, roundId }: RecordWarningProps) {
  const hash = record?.hash;
  const [kept] = useState(() => (hash === undefined ? undefined : recordNotes.keep(roundId, hash)));
  return kept === undefined || kept === hash ? null : (
    <WarningNote>
      This device has seen another record of this result before: {firstGroups(kept)}. Tell the people who run
      the meeting.
    </WarningNote>
  );
}
