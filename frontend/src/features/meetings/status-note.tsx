import type { MeetingStatus } from '../../api/types';
import classes from './status-note.module.css';

interface StatusNoteProps {
  /** Null for a new meeting. */
  before: MeetingStatus | null;
  after: MeetingStatus;
}

/** Describes the effect of a new status on the running meeting, before it is saved. */
export function StatusNote({ before, after }: StatusNoteProps) {
  const note = noteOf(before, after);
  return <div role="status">{note ? <p className={classes.note}>{note}</p> : null}</div>;
}

function noteOf(before: MeetingStatus | null, after: MeetingStatus): string | null {
  if (before === 'ACTIVE' && after !== 'ACTIVE') {
    return 'This meeting is running. Saving stops it for everyone: a vote that is open ends with the votes received so far.';
  }
  if (before !== 'ACTIVE' && after === 'ACTIVE') {
    return 'Saving opens this meeting at once: everyone who is invited can join.';
  }
  return null;
}
