import type { Meeting } from '../../api/types';

/** The actions that the list offers. The server decides by its own rules (crates/meetings, the meeting's lifecycle). */
export const meetingCan = {
  /** A restart is confirmed in the control view. */
  start: (meeting: Pick<Meeting, 'status' | 'closingHash'>): boolean =>
    meeting.status === 'SCHEDULED' && meeting.closingHash === null,
  end: (meeting: Pick<Meeting, 'status'>): boolean => meeting.status === 'ACTIVE',
  /** A simulated run only needs a meeting that has not ended. */
  rehearse: (meeting: Pick<Meeting, 'status'>): boolean =>
    meeting.status !== 'COMPLETED' && meeting.status !== 'CANCELLED',
  /** Also for a meeting that was cancelled or rescheduled after voting. */
  haveResults: (meeting: Pick<Meeting, 'startedAt' | 'status'>): boolean =>
    meeting.startedAt !== null || meeting.status === 'ACTIVE' || meeting.status === 'COMPLETED',
  delete: (meeting: Pick<Meeting, 'status'>): boolean => meeting.status !== 'ACTIVE',
};
