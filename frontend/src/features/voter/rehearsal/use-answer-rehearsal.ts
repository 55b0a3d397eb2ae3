import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ApiError } from '../../../api/api-error';
import { api, unwrap } from '../../../api/client';
import { canSeal } from '../../../shared/sealing/can-seal';

/** Short, so that a brief network failure does not delay the next attempt for a minute. */
const ANSWER_TIMEOUT_MS = 8_000;
const LONGEST_PAUSE_MS = 4_000;

/**
 * Reports to the organizer that this device has received a rehearsal, or that the voter has seen it. While the page is
 * open, it retries until the server has decided. An error because the rehearsal has ended is ignored.
 */
export function useAnswerRehearsal(meetingId: string, rehearsalId: string) {
  // The next person who signs in on this phone must not answer for this voter.
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);

  return useMutation({
    mutationFn: async (step: 'received' | 'answered') => {
      const request = new AbortController();
      const timer = window.setTimeout(() => request.abort(), ANSWER_TIMEOUT_MS);
      if (isLeft.current) {
        request.abort();
      }
      try {
        return await unwrap(
          api.PUT('/voting/meetings/{meetingId}/rehearsal', {
            params: { path: { meetingId } },
            body: { rehearsalId, step, canSeal: canSeal() },
            signal: request.signal,
          }),
        );
      } finally {
        window.clearTimeout(timer);
      }
    },
    retry: (_, error) => !isLeft.current && isUndecided(error),
    // With random delays, because a whole hall regains its network at the same moment.
    retryDelay: (failures) => Math.min(1_000 * 2 ** failures, LONGEST_PAUSE_MS) * (1 + Math.random() / 2),
  });
}

function isUndecided(error: unknown): boolean {
  return !(error instanceof ApiError) || error.isTemporary || error.status === 429;
}
