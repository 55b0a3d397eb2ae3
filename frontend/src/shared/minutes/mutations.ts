import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap, unwrapNothing } from '../../api/client';
import type { CreateRemarkBody } from '../../api/types';
import { reloadAfterAttempt } from '../reload';
import { resultQueries } from '../result/queries';
import { toast } from '../ui/toast';
import { remarkQueries } from './queries';

export function useNoteRemark(meetingId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateRemarkBody) =>
      unwrap(api.POST('/client/meetings/{meetingId}/remarks', { params: { path: { meetingId } }, body })),
    onSettled: reloadAfterAttempt(() => refreshRemarks(queryClient, meetingId)),
  });
}

export function useDeleteRemark(meetingId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (remarkId: string) =>
      unwrapNothing(
        api.DELETE('/client/meetings/{meetingId}/remarks/{remarkId}', {
          params: { path: { meetingId, remarkId } },
        }),
      ),
    onSuccess: () => toast.success('Note deleted'),
    // Also after a refusal: another organizer may have deleted it.
    onSettled: reloadAfterAttempt(() => refreshRemarks(queryClient, meetingId)),
  });
}

function refreshRemarks(queryClient: QueryClient, meetingId: string): Promise<unknown> {
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: remarkQueries.ofMeeting(meetingId).queryKey }),
    queryClient.invalidateQueries({ queryKey: resultQueries.ofMeeting(meetingId).queryKey }),
  ]);
}
