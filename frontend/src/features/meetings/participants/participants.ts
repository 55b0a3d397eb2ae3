import type { EndUser, Meeting } from '../../../api/types';
import { countOf } from '../../../shared/format';
import type { MeetingFormValues } from '../meeting-form';

type Choice = Pick<MeetingFormValues, 'isForAll' | 'endUserIds' | 'maxParticipants'>;
type ChoiceForGroups = Choice & Pick<MeetingFormValues, 'groupIds'>;

/** The invited people of a meeting as the server stores them. */
export interface Invited {
  /** False without a list: the meeting is for every active end user. */
  hasList: boolean;
  /** All active end users are invited, by a list or without one. */
  isForAll: boolean;
  endUserIds: string[];
}

/** The initial state of a new meeting: no one was invited yet. */
export const nobodyInvited: Invited = { hasList: false, isForAll: false, endUserIds: [] };

/** The requests to send. Removals come first, because the meeting may have a limit. */
export interface InvitationChange {
  remove: string[];
  add: { addAllActive: true } | { endUserIds: string[] } | null;
}

/** Derives the invitations. `activeCount` is the number of the organization's active end users. */
export function invitedTo(meeting: Meeting, participants: EndUser[], activeCount: number): Invited {
  // Test data do not count here, as they do not count in the organization's total.
  const active = participants.filter(({ isActive, isTest }) => isActive && !isTest);
  return {
    hasList: meeting.hasParticipantList,
    // People deactivated after their invitation do not change this.
    isForAll: !meeting.hasParticipantList || (activeCount > 0 && active.length === activeCount),
    endUserIds: participants.map(({ id }) => id),
  };
}

/**
 * Whether "all" means the currently active end users, listed by name, or those who are active when a vote opens. Only a
 * list can have a limit. A list of everybody stays a list: another change of the meeting must not admit more people.
 */
export function isListedByName(before: Invited, { maxParticipants }: Choice): boolean {
  return maxParticipants.trim() !== '' || (before.hasList && before.isForAll);
}

/**
 * A warning if the limit is too low for the invited people, with a list or without: it is stored, but the meeting
 * cannot start. None for groups, of which only the server knows the members who count.
 */
export function limitHint(
  before: Invited,
  { isForAll, endUserIds, maxParticipants, groupIds }: ChoiceForGroups,
  active: number,
) {
  if (groupIds.length > 0) {
    return null;
  }
  const isForEverybody = isForAll || (endUserIds.length === 0 && !before.hasList);
  const people = isForEverybody ? active : endUserIds.length;
  return maxParticipants !== '' && people > Number(maxParticipants)
    ? `${countOf(people, 'person', 'people')} would take part${isForEverybody ? ', everybody who is active' : ''}. The meeting cannot start until fewer are invited or the limit is raised.`
    : null;
}

/** The requests that invite exactly the chosen people. */
export function invitationChange(before: Invited, after: Choice): InvitationChange {
  if (after.isForAll) {
    const isDone = before.isForAll && before.hasList === isListedByName(before, after);
    return { remove: [], add: isDone ? null : { addAllActive: true } };
  }
  if (!before.hasList) {
    // An empty choice creates no list: the meeting stays open to all.
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
