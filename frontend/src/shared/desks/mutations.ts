import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { Desk, DeskPurpose } from '../../api/types';
import { reloadAfterAttempt } from '../reload';
import { toast } from '../ui/toast';
import { deskQueries } from './queries';

/** Makes a desk. The form shows the error itself. */
export function useMakeDesk(meetingId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; purpose: DeskPurpose }) =>
      unwrap(api.POST('/client/meetings/{meetingId}/desks', { params: { path: { meetingId } }, body })),
    onSettled: reloadAfterAttempt(() =>
      queryClient.invalidateQueries({ queryKey: deskQueries.ofMeeting(meetingId).queryKey }),
    ),
  });
}

export function useRevokeDesk(meetingId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Desk) =>
      unwrap(
        api.DELETE('/client/meetings/{meetingId}/desks/{deskId}', {
          params: { path: { meetingId, deskId: id } },
        }),
      ),
    onSuccess: (_done, { name }) => toast.success(`The link of ${name} no longer works`),
    onError: (error) => toast.failure(error, 'Failed to revoke the desk'),
    onSettled: reloadAfterAttempt(() =>
      queryClient.invalidateQueries({ queryKey: deskQueries.ofMeeting(meetingId).queryKey }),
    ),
  });
}
