import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
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
}

/** A stored meeting, and the outcome of its invitations. */
export interface SavedMeeting {
  meeting: Meeting;
  /** True if all participants to remove were removed. */
  isRemovalDone: boolean;
  /** The reason why the participants differ from the choice; null if they do not. */
  invitationError: unknown;
}

async function invite(
  meetingId: string,
  { remove, add }: InvitationChange,
): Promise<Omit<SavedMeeting, 'meeting'>> {
  const params = { path: { meetingId } };
  let isRemovalDone = false;
  try {
    if (remove.length > 0) {
      await unwrap(
        api.DELETE('/client/meetings/{meetingId}/participants', { params, body: { endUserIds: remove } }),
      );
    }
    isRemovalDone = true;
    if (add) {
      await unwrap(
        api.POST('/client/meetings/{meetingId}/participants', {
          params,
          body: 'addAllActive' in add ? add : { ...add, addAllActive: false },
        }),
      );
    }
    return { isRemovalDone, invitationError: null };
  } catch (error) {
    return { isRemovalDone, invitationError: error };
  }
}

function refreshMeetings(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: meetingQueries.all() });
}

/** Two requests: if the second one fails, the meeting exists anyway. */
export function useCreateMeeting() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, change }: NewMeeting): Promise<SavedMeeting> => {
      const meeting = await unwrap(api.POST('/client/meetings', { body }));
      return { meeting, ...(await invite(meeting.id, change)) };
    },
    onSuccess: reloadAfterSuccess(() => refreshMeetings(queryClient)),
  });
}

/** The meeting is stored first: a higher limit allows more invitations afterwards. */
export function useUpdateMeeting() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ meetingId, body, change }: MeetingChange): Promise<SavedMeeting> => {
      const meeting = await unwrap(
        api.PUT('/client/meetings/{meetingId}', { params: { path: { meetingId } }, body }),
      );
      return { meeting, ...(await invite(meetingId, change)) };
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
