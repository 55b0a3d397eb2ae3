import { GroupJoinLinks, type JoinGroup } from './group-join-links';
import type { JoinMeeting } from './join-meeting';

interface MeetingJoinLinksProps {
  meeting: JoinMeeting;
  /** The people chosen at first. */
  first: JoinGroup;
}

/** Personal links for the people of a meeting. */
export function MeetingJoinLinks({ meeting, first }: MeetingJoinLinksProps) {
  return (
    <GroupJoinLinks
      everybody="Everybody who is invited"
      first={first}
      meeting={meeting}
      revocation={{ label: 'Revoke all links for this meeting', choice: { meetingId: meeting.id } }}
    />
  );
}
