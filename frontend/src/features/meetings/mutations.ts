import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import type { CreateMeetingBody } from '../../api/types';
import { toast } from '../../shared/ui/toast';
import { meetingQueries } from './queries';

/** Everybody active, or those named; nobody named leaves the meeting open to all active end users. */
export type Invitation = { addAllActive: true } | { endUserIds: string[] };

interface NewMeeting {
  body: CreateMeetingBody;
  invitation: Invitation;
}

async function invite(meetingId: string, invitation: Invitation): Promise<void> {
  if ('endUserIds' in invitation && invitation.endUserIds.length === 0) {
    return;
  }
  await unwrap(
    api.POST('/client/meetings/{meetingId}/participants', {
      params: { path: { meetingId } },
      body: 'addAllActive' in invitation ? invitation : { ...invitation, addAllActive: false },
    }),
  );
}

/** Two calls: where the second one fails there is a meeting all the same, and `areInvited` is false. */
export function useCreateMeeting() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, invitation }: NewMeeting) => {
      const meeting = await unwrap(api.POST('/client/meetings', { body }));
      const areInvited = await invite(meeting.id, invitation).then(
        () => true,
        () => false,
      );
      return { meeting, areInvited };
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: meetingQueries.all() }),
  });
}

export function useStartMeeting() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (meetingId: string) =>
      unwrap(api.POST('/client/meetings/{meetingId}/start', { params: { path: { meetingId } } })),
    onError: (error) => toast.error(messageOf(error, 'Failed to start meeting')),
    // Also after a refusal: the list may have been out of date.
    onSettled: () => queryClient.invalidateQueries({ queryKey: meetingQueries.all() }),
  });
}

export function useEndMeeting() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (meetingId: string) =>
      unwrap(api.POST('/client/meetings/{meetingId}/end', { params: { path: { meetingId } } })),
    onError: (error) => toast.error(messageOf(error, 'Failed to end meeting')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: meetingQueries.all() }),
  });
}
