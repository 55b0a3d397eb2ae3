import { Button } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { MeetingStatus, VoterMeetingSummary } from '../../../api/types';
import { formatPeriod } from '../../../shared/format';
import { paths } from '../../../shared/paths';
import { undeliveredBallotNote } from '../../../shared/storage';
import { MeetingStatusBadge } from '../../../shared/ui/meeting-status-badge';
import classes from './meeting-card.module.css';

const CLOSED: Partial<Record<MeetingStatus, string>> = {
  SCHEDULED: 'Not Started Yet',
  COMPLETED: 'Completed',
};

export function MeetingCard({ meeting, userId }: { meeting: VoterMeetingSummary; userId: string }) {
  const isHeld = undeliveredBallotNote.isHeld(meeting.id, userId);
  const isUndelivered = isHeld || undeliveredBallotNote.read(meeting.id, userId) !== null;
  return (
    <article className={classes.root}>
      <div className={classes.head}>
        <h2 className={classes.title}>{meeting.title}</h2>
        <MeetingStatusBadge status={meeting.status} />
      </div>
      {meeting.description ? <p className={classes.description}>{meeting.description}</p> : null}
      <p className={classes.time}>
        <IconClock size={16} stroke={1.75} aria-hidden="true" />
        {formatPeriod(meeting.startTime, meeting.endTime)}
      </p>
      {isUndelivered ? (
        <p className={classes.undelivered}>
          One of your votes is not yet delivered.{isHeld ? ' Open the meeting to send it.' : null}
        </p>
      ) : null}
      {meeting.status === 'ACTIVE' || meeting.isRehearsing || isUndelivered ? (
        <Button component={Link} to={paths.votingMeeting(meeting.id)} size="lg" h={56} fullWidth>
          {meeting.status === 'ACTIVE' || isUndelivered ? 'Join Meeting' : 'Join rehearsal'}
        </Button>
      ) : (
        <button type="button" className={classes.closed} disabled>
          {CLOSED[meeting.status] ?? 'Unavailable'}
        </button>
      )}
    </article>
  );
}
