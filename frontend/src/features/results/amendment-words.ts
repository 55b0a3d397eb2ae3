import type { MeetingResults, PlannedQuorum } from '../../api/types';
import { formatDateTime } from '../../shared/format';
import { atOpeningWords, quorumWords } from '../../shared/result/result-words';

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
  const shown = (text: string) => {
    switch (field) {
      case 'scheduledStart':
      case 'scheduledEnd':
      case 'struck':
        return formatDateTime(text);
      case 'quorum':
        return quorumOf(text) ?? text;
      default:
        return text;
    }
  };
  if (was === null) {
    return became === null ? '' : shown(became);
  }
  return became === null ? `Removed: ${shown(was)}` : `Before: ${shown(was)}\nNow: ${shown(became)}`;
}

/** The text of a meeting's quorum in words: its JSON, a space, and its effect at opening. Null for another text. */
function quorumOf(text: string): string | null {
  const [, json = '', atOpening] = /^(\{.*\}) (WARN|BAR)$/.exec(text) ?? [];
  if (!json) {
    return null;
  }
  let quorum: PlannedQuorum;
  try {
    quorum = JSON.parse(json) as PlannedQuorum;
  } catch {
    return null;
  }
  const { attendance, secondCall } = quorum;
  const effect = atOpeningWords({ atOpening: atOpening === 'BAR' ? 'bar' : 'warn' });
  return [
    quorumWords(quorum),
    // Before an opening nobody has voted, so that a quorum of votes has no effect there.
    ...(attendance === 'present' ? [effect] : []),
    ...(secondCall ? [`On a second call: ${quorumWords(secondCall)}`] : []),
  ].join(' ');
}
