import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useParams } from 'react-router';
import { ApiError } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import { paths } from '../../shared/paths';
import { voterQueries } from './queries';
import { VoterShell } from './voter-shell';
import { WaitingCard } from './waiting-card';

/** Drawn at random, so that the phones of a hall do not ask at the same moment. */
const drawInterval = () => 8_000 + 4_000 * Math.random();

/** A meeting that is a draft. Asks again and again whether it still is one. */
export function NotOpenYet({ onReady }: { onReady: () => void }) {
  const { meetingId = '' } = useParams();
  const queryClient = useQueryClient();
  const [refetchInterval] = useState(drawInterval);
  const { data: isDraft } = useQuery({
    // Not the meeting's own query, which would show an empty page during each request. The interval is another one on
    // the next visit, which begins without the last answer.
    queryKey: [...voterQueries.all(), 'draft', meetingId, refetchInterval],
    queryFn: ({ signal }) => isStillDraft(queryClient, meetingId, signal),
    initialData: true,
    refetchInterval,
    retry: false,
    gcTime: 0,
  });

  const handleReady = useEffectEvent(onReady);
  useEffect(() => {
    if (!isDraft) {
      handleReady();
    }
  }, [isDraft]);

  return (
    <VoterShell title="Live Voting Session" back={{ to: paths.voting, label: 'Back' }}>
      <WaitingCard
        title="This meeting is not open yet"
        text="The organizer is still preparing it. This page opens by itself as soon as it is ready."
      />
    </VoterShell>
  );
}

/**
 * False after any other answer, also another refusal, which the page itself then shows. The page gets the meeting from here:
 * the whole hall asks in these seconds, and another request might fail.
 */
async function isStillDraft(
  queryClient: QueryClient,
  meetingId: string,
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
      return error.code === 'meeting_not_open_yet';
    }
    throw error;
  }
}
