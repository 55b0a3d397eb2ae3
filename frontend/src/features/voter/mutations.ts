import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { session } from '../../api/session';
import type { EndUserLoginBody, JoinBody } from '../../api/types';
import { reloadAfterSuccess } from '../../shared/reload';
import { usePatientSignIn } from '../../shared/sign-in/use-patient-sign-in';
import { voterQueries } from './queries';

export function useSignInAsVoter() {
  return usePatientSignIn((body: EndUserLoginBody, signal) => session.signInEndUser(body, signal));
}

/** Signs in the owner of a personal link. */
export function useJoin() {
  return usePatientSignIn((body: JoinBody, signal) => session.join(body, signal));
}

/** Withdraws a vote. The server allows it in demonstrations and for test data only. */
export function useResetVote(meetingId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (questionId: string) =>
      unwrap(
        api.DELETE('/voting/meetings/{meetingId}/questions/{questionId}/vote', {
          params: { path: { meetingId, questionId } },
          headers: { Accept: 'application/json' },
        }),
      ),
    onSuccess: reloadAfterSuccess(() =>
      queryClient.invalidateQueries({ queryKey: voterQueries.meeting(meetingId).queryKey }),
    ),
  });
}
