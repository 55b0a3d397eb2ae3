import { paths } from '../paths';

/** The page for votes on paper. Not in `paths`, which voters load. */
export function paperPath(meetingId: string): string {
  return `${paths.clientMeetings}/${encodeURIComponent(meetingId)}/paper`;
}
