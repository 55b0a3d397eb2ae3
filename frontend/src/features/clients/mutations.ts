import { useMutation, useQueryClient } from '@tanstack/react-query';
import { publicOrigin } from '../../api/base-path';
import { api, fileApi, unwrap } from '../../api/client';
import { unwrapFile } from '../../api/file';
import type { CreateClientBody, UpdateClientBody } from '../../api/types';
import { downloadFile } from '../../shared/download';
import { reloadAfterAttempt, reloadAfterSuccess } from '../../shared/reload';
import { toast } from '../../shared/ui/toast';
import { clientQueries } from './queries';

export function useCreateClient() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateClientBody) => unwrap(api.POST('/clients', { body })),
    onSuccess: reloadAfterSuccess(() => queryClient.invalidateQueries({ queryKey: clientQueries.all() })),
  });
}

export function useUpdateClient(clientId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateClientBody) =>
      unwrap(api.PUT('/clients/{clientId}', { params: { path: { clientId } }, body })),
    // Also after a refusal: the list may have been out of date.
    onSettled: reloadAfterAttempt(() => queryClient.invalidateQueries({ queryKey: clientQueries.all() })),
  });
}

export function useDeleteClient() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (clientId: string) =>
      unwrap(api.DELETE('/clients/{clientId}', { params: { path: { clientId } } })),
    onError: (error) => toast.failure(error, 'Failed to delete client'),
    onSettled: reloadAfterAttempt(() => queryClient.invalidateQueries({ queryKey: clientQueries.all() })),
  });
}

/** Downloads the archive of one of a client's meetings. Times are in the time zone of this device. */
export function useDownloadArchive(clientId: string) {
  return useMutation({
    mutationFn: (meetingId: string) => {
      const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      return unwrapFile(
        fileApi.GET('/clients/{clientId}/archives/{meetingId}', {
          params: { path: { clientId, meetingId }, query: { timeZone, publicUrl: publicOrigin } },
          parseAs: 'blob',
        }),
      );
    },
    onSuccess: ({ name, content }) => {
      const fileName = name ?? 'archive.json';
      downloadFile(fileName, content);
      toast.success(`Archive downloaded to ${fileName}`);
    },
    onError: (error) => toast.failure(error, 'Failed to download the archive'),
  });
}
