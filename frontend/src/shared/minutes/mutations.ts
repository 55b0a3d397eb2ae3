import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap, unwrapNothing } from '../../api/client';
import type { CreateRemarkBody } from '../../api/types';
import { reloadAfterAttempt } from '../reload';
import { resultQueries } from '../result/queries';
import { toast } from '../ui/toast';
import { remarkQueries } from './queries';

/** Calls `onNoted` with each remark that is stored, also if its form is closed meanwhile. */
export function useNoteRemark(meetingId: string, onNoted: (remark: CreateRemarkBody) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateRemarkBody) =>
      unwrap(api.POST('/client/meetings/{meetingId}/remarks', { params: { path: { meetingId } }, body })),
    onSuccess: (_remark, body) => {
      toast.success(body.kind === 'INCIDENT' ? 'Incident noted' : 'Remark noted');
      onNoted(body);
    },
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
