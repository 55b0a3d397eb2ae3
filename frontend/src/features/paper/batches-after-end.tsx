import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { LeftBatches } from '../../shared/paper-votes/left-batches';
import { organizerPaperApi } from '../../shared/paper-votes/paper-api';
import { unconfirmedRounds } from '../../shared/paper-votes/unconfirmed-rounds';
import { Card } from '../../shared/ui/card';
import { roundQueries } from '../control/queries';

/** Tellers of other screens may end a wait at any moment. */
const EVERY_MS = 10_000;

/** Batches of all questions of a meeting that still waited when voting ended. Nothing is shown without any. */
export function BatchesAfterEnd({ meetingId }: { meetingId: string }) {
  const [api] = useState(() => organizerPaperApi(meetingId));
  const queryClient = useQueryClient();
  const rounds = useQuery({ ...roundQueries.ofMeeting(meetingId), refetchInterval: EVERY_MS });
  const left = unconfirmedRounds(rounds.data ?? []);
  return left.length === 0 ? null : (
    <Card title="Not confirmed when voting ended">
      {left.map(({ id, questionText }) => (
        <LeftBatches
          key={id}
          api={api}
          round={{ id, text: questionText }}
          onDiscarded={() =>
            void queryClient.invalidateQueries({ queryKey: roundQueries.ofMeeting(meetingId).queryKey })
          }
        />
      ))}
    </Card>
  );
}
