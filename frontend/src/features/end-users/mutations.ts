import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, fileApi, unwrap } from '../../api/client';
import { unwrapFile } from '../../api/file';
import type { CreateEndUserBody, UpdateEndUserBody } from '../../api/types';
import { downloadFile } from '../../shared/download';
import { countOf } from '../../shared/format';
import { reloadAfterAttempt, reloadAfterSuccess } from '../../shared/reload';
import { reasonRequestOf } from '../../shared/ui/password-reason';
import { toast } from '../../shared/ui/toast';
import { type EndUserSelection, endUserQueries } from './queries';

interface EndUserExport extends EndUserSelection {
  format: 'csv' | 'xlsx';
  /** The expected number in the file, if it is known. */
  count: number | undefined;
}

export function useCreateEndUser() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateEndUserBody) => unwrap(api.POST('/client/end-users', { body })),
    onSuccess: reloadAfterSuccess(() => queryClient.invalidateQueries({ queryKey: endUserQueries.all() })),
  });
}

export function useUpdateEndUser(endUserId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateEndUserBody) =>
      unwrap(api.PUT('/client/end-users/{endUserId}', { params: { path: { endUserId } }, body })),
    // Also after a refusal: the list may have been out of date.
    onSettled: reloadAfterAttempt(() => queryClient.invalidateQueries({ queryKey: endUserQueries.all() })),
  });
}

export function useDeleteEndUser() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (endUserId: string) =>
      unwrap(api.DELETE('/client/end-users/{endUserId}', { params: { path: { endUserId } } })),
    onError: (error) => toast.failure(error, 'Failed to delete end user'),
    onSettled: reloadAfterAttempt(() => queryClient.invalidateQueries({ queryKey: endUserQueries.all() })),
  });
}

/** Erases the personal data, confirmed by the username. */
export function useEraseEndUser() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ endUserId, username }: { endUserId: string; username: string }) =>
      unwrap(
        api.POST('/client/end-users/{endUserId}/erase', {
          params: { path: { endUserId } },
          body: { username },
        }),
      ),
    onError: (error) => toast.failure(error, 'Failed to erase personal data'),
    onSettled: reloadAfterAttempt(() => queryClient.invalidateQueries({ queryKey: endUserQueries.all() })),
  });
}

interface CredentialsExport {
  endUserId: string;
  /** Required while the person may vote in an open question. */
  passwordReason: string;
}

/** Sets a new password and returns it. It cannot be read later. */
export function useExportCredentials() {
  return useMutation({
    mutationFn: ({ endUserId, passwordReason }: CredentialsExport) =>
      unwrap(
        api.POST('/client/end-users/{endUserId}/export-credentials', {
          params: { path: { endUserId } },
          ...(passwordReason ? { body: { passwordReason } } : {}),
        }),
      ),
    onError: (error) => {
      // The dialog asks for the reason itself.
      if (reasonRequestOf(error) === null) {
        toast.failure(error, 'Failed to export credentials');
      }
    },
  });
}

/** Downloads the list, even if the page is left meanwhile. */
export function useExportEndUsers() {
  return useMutation({
    mutationFn: ({ count: _, ...query }: EndUserExport) =>
      unwrapFile(fileApi.GET('/client/end-users/export', { params: { query }, parseAs: 'blob' })),
    onSuccess: ({ name, content }, { format, count }) => {
      const fileName = name ?? `end-users.${format}`;
      downloadFile(fileName, content);
      const people = count === undefined ? 'End users' : countOf(count, 'end user');
      toast.success(`${people} exported to ${fileName}`);
    },
    onError: (error) => toast.failure(error, 'Failed to export end users'),
  });
}
