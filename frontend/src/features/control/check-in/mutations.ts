import { useMutation, useQueryClient } from '@tanstack/react-query';
import { publicOrigin } from '../../../api/base-path';
import { api, fileApi, unwrap } from '../../../api/client';
import { unwrapFile } from '../../../api/file';
import { downloadFile } from '../../../shared/download';
import { reloadAfterAttempt } from '../../../shared/reload';
import { toast } from '../../../shared/ui/toast';
import { type Attendee, checkInQueries } from './queries';

/** Checks a person in or out by hand. */
export function useNotePresence(meetingId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ person, kind }: { person: Attendee; kind: 'IN' | 'OUT' }) =>
      unwrap(
        api.POST('/client/meetings/{meetingId}/attendance', {
          params: { path: { meetingId } },
          body: { endUserId: person.id, kind },
        }),
      ),
    onSuccess: ({ outcome, entry }, { person, kind }) => {
      if (outcome === 'NOTED') {
        toast.success(`${person.name} is checked ${kind === 'IN' ? 'in' : 'out'}`);
      } else {
        toast.info(
          `${person.name} was checked ${kind === 'IN' ? 'in' : 'out'} already${entry ? `, ${entry.by}` : ''}`,
        );
      }
    },
    onError: (error) => toast.failure(error, 'Failed to store the check-in'),
    onSettled: reloadAfterAttempt(() =>
      queryClient.invalidateQueries({ queryKey: checkInQueries.all(meetingId) }),
    ),
  });
}

export function useExportAttendance(meetingId: string) {
  return useMutation({
    mutationFn: async (format: 'csv' | 'xlsx') => {
      const file = await unwrapFile(
        fileApi.GET('/client/meetings/{meetingId}/attendance/export', {
          params: { path: { meetingId }, query: { format, publicUrl: publicOrigin } },
          parseAs: 'blob',
        }),
      );
      downloadFile(file.name ?? `attendance.${format}`, file.content);
    },
    onError: (error) => toast.failure(error, 'Failed to export the attendance'),
  });
}
