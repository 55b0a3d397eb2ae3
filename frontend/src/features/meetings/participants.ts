import type { EndUser, Meeting } from '../../api/types';
import type { MeetingFormValues } from './meeting-form';

type Choice = Pick<MeetingFormValues, 'isForAll' | 'endUserIds'>;

/** Who is invited to a meeting as the server keeps it. */
export interface Invited {
  /** False: there is no list, the meeting is for every active end user. */
  hasList: boolean;
  /** Everybody active is invited, by a list or without one. */
  isForAll: boolean;
  endUserIds: string[];
}

/** Nobody was asked yet: a meeting that is being made. */
export const nobodyInvited: Invited = { hasList: false, isForAll: false, endUserIds: [] };

/** Calls to make, the removals first: they make room where the meeting has a limit. */
export interface InvitationChange {
  remove: string[];
  add: { addAllActive: true } | { endUserIds: string[] } | null;
}

/** `activeCount`: how many active end users the organization has. */
export function invitedTo(meeting: Meeting, participants: EndUser[], activeCount: number): Invited {
  const active = participants.filter(({ isActive }) => isActive);
  return {
    hasList: meeting.hasParticipantList,
    // Somebody who was deactivated after the invitation makes it no smaller.
    isForAll: !meeting.hasParticipantList || (activeCount > 0 && active.length === activeCount),
    endUserIds: participants.map(({ id }) => id),
  };
}

/** What the server must be told so that those are invited who were chosen. */
export function invitationChange(before: Invited, after: Choice): InvitationChange {
  if (after.isForAll) {
    return { remove: [], add: before.isForAll ? null : { addAllActive: true } };
  }
  if (!before.hasList) {
    // Nobody named makes no list: the meeting stays open to all.
    return { remove: [], add: after.endUserIds.length > 0 ? { endUserIds: after.endUserIds } : null };
  }
  const listed = new Set(before.endUserIds);
  const chosen = new Set(after.endUserIds);
  const added = after.endUserIds.filter((id) => !listed.has(id));
  return {
    remove: before.endUserIds.filter((id) => !chosen.has(id)),
    add: added.length > 0 ? { endUserIds: added } : null,
  };
}
