import type { MeetingResults } from '../../api/types';
import { countOf } from '../../shared/format';
import { WarningNote } from '../../shared/ui/warning-note';

/** Declared results that are not shown, because the database was manipulated. */
export function DamagedRecords({ damaged }: Pick<MeetingResults, 'damaged'>) {
  return (
    <WarningNote>
      {countOf(damaged.length, 'declared result is', 'declared results are')} not shown, because the record
      was damaged: {damaged.map(nameOf).join('; ')}. Ask the operator of this installation.
    </WarningNote>
  );
}

function nameOf({ position, number, roundId, damage }: MeetingResults['damaged'][number]): string {
  const name = position > 0 ? `question ${position}, round ${number}` : `round ${roundId}`;
  return `${name} (${damage})`;
}
