import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useParams } from 'react-router';
import { ApiError } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import { voterQueries } from './queries';

/** Drawn at random, so that the phones of a hall do not ask at the same moment. */
const drawInterval = () => 8_000 + 4_000 * Math.random();

/** Asks again and again whether the server still refuses the meeting with this code, and calls back once it does not. */
export function useRefusalEnd(code: string, onEnd: () => void) {
  const { meetingId = '' } = useParams();
  const queryClient = useQueryClient();
  const [refetchInterval] = useState(drawInterval);
  const { data: isRefused } = useQuery({
    // Not the meeting's own query, which would show an empty page during each request. The interval is another one on
    // the next visit, which begins without the last answer.
    queryKey: [...voterQueries.all(), 'refused', meetingId, refetchInterval],
    queryFn: ({ signal }) => isStillRefused(queryClient, meetingId, code, signal),
    initialData: true,
    refetchInterval,
    retry: false,
    gcTime: 0,
  });

  const handleEnd = useEffectEvent(onEnd);
  useEffect(() => {
    if (!isRefused) {
      handleEnd();
    }
  }, [isRefused]);
}

/**
 * False after any other answer, also another refusal, which the page itself then shows. The page gets the meeting from here:
 * the whole hall asks in these seconds, and another request might fail.
 */
async function isStillRefused(
  queryClient: QueryClient,
  meetingId: string,
  code: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const body = await unwrap(
      api.GET('/voting/meetings/{meetingId}', { params: { path: { meetingId } }, signal }),
    );
    queryClient.setQueryData(voterQueries.meeting(meetingId).queryKey, body);
    return false;
  } catch (error) {
    if (error instanceof ApiError && [403, 404].includes(error.status)) {
      return error.code === code;
    }
    throw error;
  }
}
