import type { EndUser, Meeting } from '../../../api/types';
import { countOf } from '../../../shared/format';
import type { MeetingFormValues } from '../meeting-form';

type Choice = Pick<MeetingFormValues, 'isForAll' | 'endUserIds' | 'maxParticipants'>;

/** The invited people of a meeting as the server stores them. */
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
  // Test data are nobody: they do not count among those of the organization either.
  const active = participants.filter(({ isActive, isTest }) => isActive && !isTest);
  return {
    hasList: meeting.hasParticipantList,
    // Somebody who was deactivated after the invitation makes it no smaller.
    isForAll: !meeting.hasParticipantList || (activeCount > 0 && active.length === activeCount),
    endUserIds: participants.map(({ id }) => id),
  };
}

/**
 * Whether "all" means those who are active now, listed by name, or whoever is active when a vote opens. Only a list can
 * keep a limit, and a list with everybody on it stays one: saving something else must not let more people in.
 */
export function isListedByName(before: Invited, { maxParticipants }: Choice): boolean {
  return maxParticipants.trim() !== '' || (before.hasList && before.isForAll);
}

/**
 * What is said of a limit that is too low for those who are invited, with a list or without: it is stored, and the meeting
 * does not start.
 */
export function limitHint(
  before: Invited,
  { isForAll, endUserIds, maxParticipants }: Choice,
  active: number,
) {
  const isForEverybody = isForAll || (endUserIds.length === 0 && !before.hasList);
  const people = isForEverybody ? active : endUserIds.length;
  return maxParticipants !== '' && people > Number(maxParticipants)
    ? `${countOf(people, 'person', 'people')} would take part${isForEverybody ? ', everybody who is active' : ''}. The meeting cannot start until fewer are invited or the limit is raised.`
    : null;
}

/** The calls that invite the chosen people, and no others. */
export function invitationChange(before: Invited, after: Choice): InvitationChange {
  if (after.isForAll) {
    const isDone = before.isForAll && before.hasList === isListedByName(before, after);
    return { remove: [], add: isDone ? null : { addAllActive: true } };
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
