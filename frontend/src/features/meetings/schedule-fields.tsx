import type { ComponentProps } from 'react';
import { DateTimeInput } from '../../shared/ui/date-time-input';
import { FieldRow } from '../../shared/ui/field-row';
import { timeZoneNote } from './time-zone';

/** Without it, browsers accept six-digit years, which are typing errors. */
const LATEST_TIME = '9999-12-31T23:59';

type TimeField = Omit<ComponentProps<typeof DateTimeInput>, 'type' | 'label'> & { value?: string };

/** The planned start and end of a meeting, as fields of a form. */
export function ScheduleFields({ start, end }: { start: TimeField; end: TimeField }) {
  return (
    <FieldRow legend="Scheduled Time" description={timeZoneNote(start.value ?? '', end.value ?? '')}>
      <DateTimeInput type="datetime-local" max={LATEST_TIME} label="Start Time" required {...start} />
      <DateTimeInput type="datetime-local" max={LATEST_TIME} label="End Time" required {...end} />
    </FieldRow>
  );
}
