import { paths } from '../paths';

export const PANEL_PARAM = 'panel';
export const CHECK_IN_PANEL = 'check-in';

/** The control view of a meeting with the panel of the check-in. */
export function checkInPath(meetingId: string): string {
  return `${paths.meetingControl(meetingId)}?${PANEL_PARAM}=${CHECK_IN_PANEL}`;
}
