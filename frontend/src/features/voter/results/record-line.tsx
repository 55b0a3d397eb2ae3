import { useState } from 'react';
import type { Result } from '../../../api/types';
import { paths } from '../../../shared/paths';
import { firstGroups } from '../../../shared/result/record-words';
import { recordNotes } from '../../../shared/storage';
import { TextLink } from '../../../shared/ui/text-link';
import { WarningNote } from '../../../shared/ui/warning-note';

interface RecordLineProps {
  record: NonNullable<Result['record']>;
  roundId: string;
  className?: string | undefined;
}

/** The first groups of the record hash. This device keeps the first hash that it saw, and warns about another one. */
export function RecordLine({ record, roundId, className }: RecordLineProps) {
  const [kept] = useState(() => recordNotes.keep(roundId, record.hash));
  return (
    <>
      <p className={className}>
        Record {firstGroups(record.hash)}.{' '}
        <TextLink to={paths.verify(record.hash)}>Check this result</TextLink>
      </p>
      {kept === record.hash ? null : (
        <WarningNote>
          This device has seen another record of this result before: {firstGroups(kept)}. Tell the people who
          run the meeting.
        </WarningNote>
      )}
    </>
  );
}
