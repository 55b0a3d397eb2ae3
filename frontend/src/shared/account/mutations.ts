import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { BothFactorsBody, PasswordBody } from '../../api/types';
import { reloadAfterAttempt, reloadAfterSuccess } from '../reload';
import { toast } from '../ui/toast';
import { ownAccountQueries } from './queries';

/** The server signs out on all other devices. */
export function useChangePassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: PasswordBody) => unwrap(api.PUT('/auth/password', { body })),
    onSuccess: reloadAfterSuccess(() => queryClient.invalidateQueries({ queryKey: ownAccountQueries.all() })),
  });
}

export function useEndSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (sessionId: string) =>
      unwrap(api.DELETE('/auth/sessions/{sessionId}', { params: { path: { sessionId } } })),
    onError: (error) => toast.failure(error, 'Failed to sign out there'),
    // Also after a refusal: the session may have ended by itself.
    onSettled: reloadAfterAttempt(() => queryClient.invalidateQueries({ queryKey: ownAccountQueries.all() })),
  });
}

export function useEndOtherSessions() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => unwrap(api.POST('/auth/sessions/sign-out-everywhere', { body: { keepThis: true } })),
    onError: (error) => toast.failure(error, 'Failed to sign out on other devices'),
    onSettled: reloadAfterAttempt(() => queryClient.invalidateQueries({ queryKey: ownAccountQueries.all() })),
  });
}

export function useBeginSecondFactor() {
  return useMutation({
    mutationFn: (body: { currentPassword: string }) => unwrap(api.POST('/auth/second-factor', { body })),
  });
}

/** The server signs out on all other devices. */
export function useConfirmSecondFactor() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { code: string }) => unwrap(api.POST('/auth/second-factor/confirm', { body })),
    onSuccess: reloadAfterSuccess(() => queryClient.invalidateQueries({ queryKey: ownAccountQueries.all() })),
  });
}

export function useRenewRecoveryCodes() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: BothFactorsBody) => unwrap(api.POST('/auth/second-factor/recovery-codes', { body })),
    onSuccess: reloadAfterSuccess(() => queryClient.invalidateQueries({ queryKey: ownAccountQueries.all() })),
  });
}

export function useRemoveSecondFactor() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: BothFactorsBody) => unwrap(api.POST('/auth/second-factor/remove', { body })),
    onSuccess: reloadAfterSuccess(() => queryClient.invalidateQueries({ queryKey: ownAccountQueries.all() })),
  });
}
