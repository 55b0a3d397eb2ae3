import { paths } from './paths';

/** The proxies of a meeting. Not in `paths`, which voters load. */
export function proxiesPath(meetingId: string): string {
  return `${paths.clientMeetings}/${encodeURIComponent(meetingId)}/proxies`;
}
