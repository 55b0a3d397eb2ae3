import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, fileApi, unwrap } from '../../api/client';
import { unwrapFile } from '../../api/file';
import type { CreateEndUserBody } from '../../api/types';
import { downloadFile } from '../../shared/download';
import { countOf } from '../../shared/format';
import { reloadAfterAttempt, reloadAfterSuccess } from '../../shared/reload';
import { reasonRequestOf } from '../../shared/ui/password-reason';
import { toast } from '../../shared/ui/toast';
import type { EndUserUpdate } from './end-user-form';
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

/**
 * Changes a person. Groups are joined and left one by one, because a list of all groups would undo what another
 * administrator changed meanwhile. A repetition after a failure between them is harmless.
 */
export function useUpdateEndUser(endUserId: string) {
  const queryClient = useQueryClient();
  const changeMembers = (groupId: string, body: { add?: string[]; remove?: string[] }) =>
    unwrap(api.POST('/client/groups/{groupId}/members', { params: { path: { groupId } }, body }));
  return useMutation({
    mutationFn: async ({ body, joined, left }: EndUserUpdate) => {
      const path = { endUserId };
      const answer = await unwrap(api.PUT('/client/end-users/{endUserId}', { params: { path }, body }));
      // First those that are left, because the number of groups of a person is limited.
      for (const groupId of left) {
        await changeMembers(groupId, { remove: [endUserId] });
      }
      for (const groupId of joined) {
        await changeMembers(groupId, { add: [endUserId] });
      }
      return answer;
    },
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
