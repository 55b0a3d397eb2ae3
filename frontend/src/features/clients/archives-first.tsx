import { Button, Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { messageOf } from '../../api/api-error';
import type { ClientArchive } from '../../api/types';
import { formatDate } from '../../shared/format';
import { LoadError } from '../../shared/ui/load-error';
import classes from './archives-first.module.css';
import { useDownloadArchive } from './mutations';
import { clientQueries } from './queries';

/** Offers the archives of a client's meetings in the dialog that deletes it. */
export function ArchivesFirst({ clientId }: { clientId: string }) {
  const archives = useInfiniteQuery(clientQueries.archives(clientId));
  const download = useDownloadArchive(clientId);
  const meetings = archives.data?.pages.flatMap(({ data }) => data) ?? [];
  if (archives.isSuccess && meetings.length === 0) {
    return null;
  }
  return (
    <section className={classes.root} aria-label="Download the archives first">
      <p>
        Download the signed archives of completed and cancelled meetings first: afterwards nobody can download
        them here. The audit log of the client shows each download with your name.
      </p>
      {archives.isPending ? <Skeleton height={88} aria-label="Loading the meetings" /> : null}
      {archives.isError ? (
        <LoadError
          message={messageOf(archives.error, 'Failed to load the meetings')}
          isRetrying={archives.isFetching}
          onRetry={() => void (archives.data ? archives.fetchNextPage() : archives.refetch())}
        />
      ) : null}
      <ul className={classes.meetings}>
        {meetings.map((meeting) => (
          <MeetingArchive
            key={meeting.meetingId}
            meeting={meeting}
            isBusy={download.isPending}
            onDownload={() => download.mutate(meeting.meetingId)}
          />
        ))}
      </ul>
      {archives.hasNextPage && !archives.isError ? (
        <div>
          <Button
            variant="default"
            size="sm"
            loading={archives.isFetchingNextPage}
            onClick={() => void archives.fetchNextPage()}
          >
            More meetings
          </Button>
        </div>
      ) : null}
    </section>
  );
}

interface MeetingArchiveProps {
  meeting: ClientArchive;
  /** One file at a time: the server writes each as a whole. */
  isBusy: boolean;
  onDownload: () => void;
}

function MeetingArchive({ meeting, isBusy, onDownload }: MeetingArchiveProps) {
  const { title, scheduledStartTime } = meeting;
  return (
    <li className={classes.meeting}>
      <span className={classes.title} dir="auto">
        {title}, {formatDate(scheduledStartTime)}
      </span>
      <Button
        variant="default"
        size="sm"
        disabled={isBusy}
        aria-label={`Archive of ${title}, ${formatDate(scheduledStartTime)}`}
        onClick={onDownload}
      >
        Archive
      </Button>
    </li>
  );
}
