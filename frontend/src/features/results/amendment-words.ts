import type { MeetingResults } from '../../api/types';
import { formatDateTime } from '../../shared/format';

type Amendment = MeetingResults['amendments'][number];

const MEETING_FIELDS: Record<string, string> = {
  title: 'Title of the meeting',
  scheduledStart: 'Planned start',
  scheduledEnd: 'Planned end',
  quorum: 'Quorum of the meeting',
  status: 'Status of the meeting',
};

/** The subject of a change after the end. */
export function changedField({ subject, field }: Pick<Amendment, 'subject' | 'field'>): string {
  switch (subject) {
    case 'MEETING':
      return MEETING_FIELDS[field] ?? 'Meeting';
    case 'QUESTION':
      return 'Question';
    case 'REMARK':
      return field === 'struck' ? 'Remark struck through' : 'Remark added';
    case 'RESULT':
      return 'Result declared';
  }
}

/** The values before and after the change. */
export function changedText(amendment: Pick<Amendment, 'field' | 'was' | 'became'>): string {
  const { field, was, became } = amendment;
  const isTime = field === 'scheduledStart' || field === 'scheduledEnd' || field === 'struck';
  const shown = (text: string) => (isTime ? formatDateTime(text) : text);
  if (was === null) {
    return became === null ? '' : shown(became);
  }
  return became === null ? `Removed: ${shown(was)}` : `Before: ${shown(was)}\nNow: ${shown(became)}`;
}
