import type { MeetingStatus } from '../../api/types';
import classes from './status-note.module.css';

interface StatusNoteProps {
  /** Null for a meeting that is being made. */
  before: MeetingStatus | null;
  after: MeetingStatus;
}

/** Says what saving another status does to the hall, before it is done. */
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
