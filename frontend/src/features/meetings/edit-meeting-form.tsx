import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { referenceOf } from '../../api/api-error';
import { ErrorState } from '../../shared/ui/error-state';
import { TableSkeleton } from '../../shared/ui/table-skeleton';
import { endUserQueries } from '../end-users/queries';
import { MeetingEditor } from './meeting-editor';
import { invitedTo } from './participants/participants';
import { meetingQueries } from './queries';

/** Loads the current meeting and its participants before the form can be used. */
export function EditMeetingForm({ meetingId, onDone }: { meetingId: string; onDone: () => void }) {
  const queries = [
    useQuery({ ...meetingQueries.detail(meetingId), staleTime: 0 }),
    useQuery({ ...meetingQueries.participants(meetingId), staleTime: 0 }),
    useQuery({ ...endUserQueries.stats(), staleTime: 0 }),
  ] as const;
  const [meeting, participants, stats] = queries;
  // Not the cached data of an earlier visit: the form would store them again.
  const [openedAt] = useState(Date.now);

  if (
    meeting.data &&
    participants.data &&
    stats.data &&
    queries.every(({ dataUpdatedAt }) => dataUpdatedAt >= openedAt)
  ) {
    const endUsers = participants.data.map(({ endUser }) => endUser);
    return (
      <MeetingEditor
        edited={{
          meeting: meeting.data,
          invited: invitedTo(meeting.data, endUsers, stats.data.active),
          participants: endUsers,
        }}
        onDone={onDone}
      />
    );
  }
  if (queries.some(({ isError }) => isError)) {
    return (
      <ErrorState
        title="Failed to fetch meetings"
        hint="The meeting could not be loaded, so nothing can be changed now."
        reference={referenceOf(queries.find(({ error }) => error)?.error)}
        onRetry={() => {
          for (const query of queries) {
            if (query.isError) {
              void query.refetch();
            }
          }
        }}
        isRetrying={queries.some(({ isFetching }) => isFetching)}
      />
    );
  }
  return <TableSkeleton label="Loading meeting..." />;
}
