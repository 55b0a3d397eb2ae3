import type { Meeting } from '../../api/types';

/** What the list offers; the server's rules (crates/meetings, the meeting's lifecycle) have the last word. */
export const meetingCan = {
  start: (meeting: Pick<Meeting, 'status'>): boolean => meeting.status === 'SCHEDULED',
  end: (meeting: Pick<Meeting, 'status'>): boolean => meeting.status === 'ACTIVE',
  delete: (meeting: Pick<Meeting, 'status'>): boolean => meeting.status !== 'ACTIVE',
};
