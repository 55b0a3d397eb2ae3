import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import type { CopyMeetingBody, CreateMeetingBody, Meeting, UpdateMeetingBody } from '../../api/types';
import { reloadAfterAttempt, reloadAfterSuccess } from '../../shared/reload';
import { toast } from '../../shared/ui/toast';
import type { InvitationChange } from './participants/participants';
import { meetingQueries } from './queries';

interface NewMeeting {
  body: CreateMeetingBody;
  change: InvitationChange;
}

interface MeetingChange {
  meetingId: string;
  body: UpdateMeetingBody;
  change: InvitationChange;
  /** Called when the people to remove were removed before the meeting is stored, which may then still fail. */
  onRemovedFirst: () => void;
}

/** A stored meeting, and the outcome of its invitations. */
export interface SavedMeeting {
  meeting: Meeting;
  /** True if all participants to remove were removed. */
  isRemovalDone: boolean;
  /** The reason why the participants differ from the choice; null if they do not. */
  invitationError: unknown;
  /** The reason why the meeting was not started although this was chosen and all else is stored; null if it was. */
  startError: unknown;
  /** True if neither the start nor the look at the meeting afterwards was answered. */
  isStartUnknown: boolean;
}

/** What is left to do when a meeting is stored. */
interface NextSteps {
  change: InvitationChange;
  /** The start; null without one, or if it is part of what is stored. */
  start: UpdateMeetingBody | null;
}

/**
 * Whether the meeting is started by a request of its own, after its participants: before, it would be for everybody, who
 * may be more than its limit.
 */
function startsLast({ status }: UpdateMeetingBody, { remove, add }: InvitationChange): boolean {
  return status === 'ACTIVE' && (remove.length > 0 || add !== null);
}

async function uninvite(meetingId: string, endUserIds: string[]): Promise<void> {
  await unwrap(
    api.DELETE('/client/meetings/{meetingId}/participants', {
      params: { path: { meetingId } },
      body: { endUserIds },
    }),
  );
}

async function invite(
  meetingId: string,
  { remove, add }: InvitationChange,
): Promise<Pick<SavedMeeting, 'isRemovalDone' | 'invitationError'>> {
  let isRemovalDone = false;
  try {
    if (remove.length > 0) {
      await uninvite(meetingId, remove);
    }
    isRemovalDone = true;
    if (add) {
      await unwrap(
        api.POST('/client/meetings/{meetingId}/participants', {
          params: { path: { meetingId } },
          body: 'addAllActive' in add ? add : { ...add, addAllActive: false },
        }),
      );
    }
    return { isRemovalDone, invitationError: null };
  } catch (error) {
    return { isRemovalDone, invitationError: error };
  }
}

function update(meetingId: string, body: UpdateMeetingBody): Promise<Meeting> {
  return unwrap(api.PUT('/client/meetings/{meetingId}', { params: { path: { meetingId } }, body }));
}

/** Whether the server may have carried out the request all the same. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && error.isTemporary;
}

/** Reads the meeting after a start whose response was lost: it may be running. */
async function afterFailedStart(
  meeting: Meeting,
  startError: unknown,
): Promise<Pick<SavedMeeting, 'meeting' | 'startError' | 'isStartUnknown'>> {
  if (!isUnanswered(startError)) {
    return { meeting, startError, isStartUnknown: false };
  }
  try {
    const params = { path: { meetingId: meeting.id } };
    const found = await unwrap(api.GET('/client/meetings/{meetingId}', { params }));
    const isStarted = found.status === 'ACTIVE';
    return { meeting: found, startError: isStarted ? null : startError, isStartUnknown: false };
  } catch {
    return { meeting, startError, isStartUnknown: true };
  }
}

/** Invites, and then starts the meeting if exactly the chosen people take part. */
async function inviteAndStart(meeting: Meeting, { change, start }: NextSteps): Promise<SavedMeeting> {
  const invited = await invite(meeting.id, change);
  if (start === null || invited.invitationError !== null) {
    return { meeting, ...invited, startError: null, isStartUnknown: false };
  }
  try {
    return { meeting: await update(meeting.id, start), ...invited, startError: null, isStartUnknown: false };
  } catch (error) {
    return { ...invited, ...(await afterFailedStart(meeting, error)) };
  }
}

function refreshMeetings(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: meetingQueries.all() });
}

/** Several requests: if a later one fails, the meeting exists anyway. Voters do not see it as a draft. */
export function useCreateMeeting() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, change }: NewMeeting): Promise<SavedMeeting> => {
      const start = startsLast(body, change) ? { status: 'ACTIVE' as const } : null;
      const stored = start ? { ...body, status: 'DRAFT' as const } : body;
      const meeting = await unwrap(api.POST('/client/meetings', { body: stored }));
      return inviteAndStart(meeting, { change, start });
    },
    onSuccess: reloadAfterSuccess(() => refreshMeetings(queryClient)),
  });
}

/**
 * The meeting is stored first: a higher limit allows more invitations afterwards. But if its groups change, people are
 * removed before: a group that the meeting loses may be all that keeps them out of a running meeting.
 */
export function useUpdateMeeting() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ meetingId, body, change, onRemovedFirst }: MeetingChange): Promise<SavedMeeting> => {
      const removesFirst = body.groupIds !== undefined && change.remove.length > 0;
      if (removesFirst) {
        await uninvite(meetingId, change.remove);
        onRemovedFirst();
      }
      const left = removesFirst ? { ...change, remove: [] } : change;
      if (!startsLast(body, change)) {
        return inviteAndStart(await update(meetingId, body), { change: left, start: null });
      }
      const { status: _, confirmRestart, ...others } = body;
      const start = { status: 'ACTIVE' as const, ...(confirmRestart ? { confirmRestart } : {}) };
      return inviteAndStart(await update(meetingId, others), { change: left, start });
    },
    onSettled: reloadAfterAttempt(() => refreshMeetings(queryClient)),
  });
}

export function useCopyMeeting(meetingId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CopyMeetingBody) =>
      unwrap(api.POST('/client/meetings/{meetingId}/copy', { params: { path: { meetingId } }, body })),
    onSuccess: reloadAfterSuccess(() => refreshMeetings(queryClient)),
  });
}

export function useDeleteMeeting() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (meetingId: string) =>
      unwrap(api.DELETE('/client/meetings/{meetingId}', { params: { path: { meetingId } } })),
    onError: (error) => toast.failure(error, 'Failed to delete meeting'),
    // The cache entry of the meeting itself is not invalidated: a request for it would only answer 404.
    onSettled: reloadAfterAttempt(() => queryClient.invalidateQueries({ queryKey: meetingQueries.lists() })),
  });
}

export function useStartMeeting() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (meetingId: string) =>
      unwrap(api.POST('/client/meetings/{meetingId}/start', { params: { path: { meetingId } } })),
    onError: (error) => toast.failure(error, 'Failed to start meeting'),
    // Also after a refusal: the list may have been out of date.
    onSettled: reloadAfterAttempt(() => refreshMeetings(queryClient)),
  });
}

export function useEndMeeting() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (meetingId: string) =>
      unwrap(api.POST('/client/meetings/{meetingId}/end', { params: { path: { meetingId } } })),
    onError: (error) => toast.failure(error, 'Failed to end meeting'),
    onSettled: reloadAfterAttempt(() => refreshMeetings(queryClient)),
  });
}
