import { useMutation, useQueryClient } from '@tanstack/react-query';
import { publicOrigin } from '../../api/base-path';
import { api, unwrap } from '../../api/client';
import type { JoinAsk, MakeJoinLinksBody, RevokeJoinLinksBody } from '../../api/types';
import { countOf } from '../format';
import { reloadAfterAttempt } from '../reload';
import { reasonRequestOf } from '../ui/password-reason';
import { toast } from '../ui/toast';
import { joinLinkQueries } from './queries';

function useRefresh() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: joinLinkQueries.all() });
}

/** Makes links and returns their tokens, which cannot be read later. */
export function useMakeJoinLinks() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: MakeJoinLinksBody) => unwrap(api.POST('/client/join-links', { body })),
    onError: (error) => {
      // The form asks for the reason itself.
      if (reasonRequestOf(error) === null) {
        toast.failure(error, 'Failed to make personal links');
      }
    },
    onSettled: reloadAfterAttempt(refresh),
  });
}

/** Sends an invitation with a personal link to those who have never signed in, also if they have received one before. */
export function useMailJoinLinks(meetingId: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (reason: string) =>
      unwrap(
        api.POST('/client/meetings/{meetingId}/invitations/send', {
          params: { path: { meetingId } },
          body: {
            neverSignedIn: true,
            again: true,
            personalLinks: true,
            ...(reason ? { passwordReason: reason } : {}),
            timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
            publicUrl: publicOrigin,
          },
        }),
      ),
    onError: (error) => {
      // The dialog asks for the reason itself.
      if (reasonRequestOf(error) === null) {
        toast.failure(error, 'Failed to send invitations');
      }
    },
    onSettled: reloadAfterAttempt(refresh),
  });
}

export function useRevokeJoinLinks() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: RevokeJoinLinksBody) => unwrap(api.POST('/client/join-links/revoke', { body })),
    onSuccess: ({ revoked }) => toast.success(`${countOf(revoked, 'personal link')} revoked`),
    onError: (error) => toast.failure(error, 'Failed to revoke'),
    onSettled: reloadAfterAttempt(refresh),
  });
}

export function useChangeJoinAsk() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (asks: JoinAsk) => unwrap(api.PUT('/client/join-links/settings', { body: { asks } })),
    onError: (error) => toast.failure(error, 'Failed to save'),
    onSettled: reloadAfterAttempt(refresh),
  });
}
