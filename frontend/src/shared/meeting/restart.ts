import type { Meeting } from '../../api/types';

/** What follows when a meeting that has ended starts again. */
export const RESTART_CONSEQUENCES =
  'This meeting has ended. Its closing record stays as it is. The restart is told beside it, with your name and the time, and the next end writes a second closing record that names the first.';

/** Whether a start of this meeting is a restart, which the server takes only with a confirmation. */
export function startsAgain(meeting: Pick<Meeting, 'status' | 'closingHash'>): boolean {
  return meeting.status !== 'ACTIVE' && (meeting.status === 'COMPLETED' || meeting.closingHash !== null);
}
