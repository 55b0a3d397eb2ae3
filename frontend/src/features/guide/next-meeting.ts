import type { Meeting } from '../../api/types';

function byStart(a: Meeting, b: Meeting): number {
  return Date.parse(a.scheduledStartTime) - Date.parse(b.scheduledStartTime);
}

/** The running meeting, or the next planned one, or the last one whose planned time has passed without a start. */
export function nextMeeting(meetings: Meeting[], now: number): Meeting | null {
  const running = meetings.filter(({ status }) => status === 'ACTIVE').sort(byStart);
  const planned = meetings.filter(({ status }) => status === 'SCHEDULED' || status === 'DRAFT').sort(byStart);
  const ahead = planned.find(({ scheduledEndTime }) => Date.parse(scheduledEndTime) >= now);
  return running[0] ?? ahead ?? planned.at(-1) ?? null;
}

/** Whether the organization has held a meeting. */
export function hasBeenLive(meetings: Meeting[]): boolean {
  return meetings.some(({ startedAt }) => startedAt !== null);
}
