import { Button, Skeleton, VisuallyHidden } from '@mantine/core';
import { IconCalendarX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { ApiError, messageOf } from '../../api/api-error';
import type { User } from '../../api/types';
import { useUser } from '../../api/use-session';
import { paths } from '../../shared/paths';
import { undeliveredBallotNote } from '../../shared/storage';
import { EmptyState } from '../../shared/ui/empty-state';
import { toast } from '../../shared/ui/toast';
import { LiveMeeting } from './live-meeting';
import { voterQueries } from './queries';
import { VoterShell } from './voter-shell';

const BACK = { to: paths.voting, label: 'Back' };

export function LiveVotingPage() {
  const { meetingId = '' } = useParams();
  const user = useUser();
  // The guard ensures a signed-in voter.
  return user ? <Meeting key={meetingId} meetingId={meetingId} user={user} /> : null;
}

function Meeting({ meetingId, user }: { meetingId: string; user: User }) {
  const navigate = useNavigate();
  const meeting = useQuery(voterQueries.meeting(meetingId));
  const isFinal = meeting.error instanceof ApiError && [403, 404].includes(meeting.error.status);
  // It is sent without the meeting's data, and its outcome stays on the screen.
  const [hasKeptBallot] = useState(() => undeliveredBallotNote.read(meetingId, user.id) !== null);
  const hasFailed = meeting.isError && meeting.data === undefined && !isFinal && !hasKeptBallot;

  useEffect(() => {
    if (hasFailed) {
      toast.error('Failed to load meeting');
      navigate(paths.voting, { replace: true });
    }
  }, [hasFailed, navigate]);

  if (isFinal) {
    return <Refused error={meeting.error} />;
  }
  if ((meeting.isPending && !hasKeptBallot) || hasFailed) {
    return <LoadingMeeting />;
  }
  return (
    <LiveMeeting
      meetingId={meetingId}
      user={user}
      fetched={{ meeting: meeting.data, at: meeting.dataUpdatedAt }}
      renderRefused={renderRefused}
    />
  );
}

function renderRefused(error: ApiError) {
  return <Refused error={error} />;
}

function Refused({ error }: { error: unknown }) {
  const isMissing = error instanceof ApiError && error.status === 404;
  const title = isMissing ? 'Meeting Not Found' : 'You are not invited to this meeting';
  return (
    <VoterShell title={title}>
      <EmptyState
        icon={IconCalendarX}
        title={isMissing ? 'This meeting does not exist or was deleted.' : messageOf(error, title)}
        action={
          <Button component={Link} to={paths.voting} size="lg" h={56}>
            Back to Dashboard
          </Button>
        }
      />
    </VoterShell>
  );
}

function LoadingMeeting() {
  return (
    <VoterShell title="Live Voting Session" back={BACK}>
      <div role="status">
        <VisuallyHidden>Loading meeting...</VisuallyHidden>
        <Skeleton height={20} width="40%" mb="xs" />
        <Skeleton height={32} mb="lg" />
        <Skeleton height={56} mb="xs" />
        <Skeleton height={56} mb="xs" />
        <Skeleton height={56} />
      </div>
    </VoterShell>
  );
}
