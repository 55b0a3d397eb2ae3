import type { Meeting } from '../../api/types';

/** What the list offers; the server's rules (crates/meetings, the meeting's lifecycle) have the last word. */
export const meetingCan = {
  /** A restart is asked about in the control view. */
  start: (meeting: Pick<Meeting, 'status' | 'closingHash'>): boolean =>
    meeting.status === 'SCHEDULED' && meeting.closingHash === null,
  end: (meeting: Pick<Meeting, 'status'>): boolean => meeting.status === 'ACTIVE',
  /** A simulated run needs no more than a meeting that is still to be held. */
  rehearse: (meeting: Pick<Meeting, 'status'>): boolean =>
    meeting.status !== 'COMPLETED' && meeting.status !== 'CANCELLED',
  /** Also of one that was called off or put back after voting. */
  haveResults: (meeting: Pick<Meeting, 'startedAt' | 'status'>): boolean =>
    meeting.startedAt !== null || meeting.status === 'ACTIVE' || meeting.status === 'COMPLETED',
  delete: (meeting: Pick<Meeting, 'status'>): boolean => meeting.status !== 'ACTIVE',
};
