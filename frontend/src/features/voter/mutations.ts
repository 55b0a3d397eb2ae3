import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { randomUuid } from '../../api/random-uuid';
import { session } from '../../api/session';
import type { EndUserLoginBody, JoinBody } from '../../api/types';
import { reloadAfterSuccess } from '../../shared/reload';
import { usePatientSignIn } from '../../shared/sign-in/use-patient-sign-in';
import { voterQueries } from './queries';

export function useSignInAsVoter() {
  return usePatientSignIn((body: EndUserLoginBody, signal) => session.signInEndUser(body, signal));
}

/**
 * Signs in the owner of a personal link. All attempts of the page have one id, those after a failure too: if only the
 * response of the first one was lost, the link or its code is used up, and a repeat gets the session that it opened.
 */
export function useJoin() {
  const [attemptId] = useState(randomUuid);
  return usePatientSignIn((body: JoinBody, signal) => session.join({ ...body, attemptId }, signal));
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
