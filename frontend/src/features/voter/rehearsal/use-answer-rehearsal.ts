import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ApiError } from '../../../api/api-error';
import { api, unwrap } from '../../../api/client';

/** A network that is gone for a moment must not hold up the next try for a minute. */
const ANSWER_TIMEOUT_MS = 8_000;
const LONGEST_PAUSE_MS = 4_000;

/**
 * Reports to the organizer that a rehearsal has arrived on this device, or that the voter has seen it. As long as the page is
 * there it is sent again until the server has decided; that the rehearsal is over by then is no news for anybody.
 */
export function useAnswerRehearsal(meetingId: string, rehearsalId: string) {
  // The next person who signs in on this phone must not answer in this voter's place.
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
            body: { rehearsalId, step },
            signal: request.signal,
          }),
        );
      } finally {
        window.clearTimeout(timer);
      }
    },
    retry: (_, error) => !isLeft.current && isUndecided(error),
    // Spread, because a hall that lost its network has it back in the same instant.
    retryDelay: (failures) => Math.min(1_000 * 2 ** failures, LONGEST_PAUSE_MS) * (1 + Math.random() / 2),
  });
}

function isUndecided(error: unknown): boolean {
  return !(error instanceof ApiError) || error.isTemporary || error.status === 429;
}
