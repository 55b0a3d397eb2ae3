import type { Meeting } from '../../api/types';

/** The consequences of starting an ended meeting again. */
export const RESTART_CONSEQUENCES =
  'This meeting has ended. Its closing record stays as it is. The restart is told beside it, with your name and the time, and the next end writes a second closing record that names the first.';

/** Whether a start of this meeting is a restart. The server needs a confirmation for it. */
export function startsAgain(meeting: Pick<Meeting, 'status' | 'closingHash'>): boolean {
  return meeting.status !== 'ACTIVE' && (meeting.status === 'COMPLETED' || meeting.closingHash !== null);
}
