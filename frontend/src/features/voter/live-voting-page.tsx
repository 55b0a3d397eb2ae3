import { Skeleton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { ApiError } from '../../api/api-error';
import type { User } from '../../api/types';
import { useUser } from '../../api/use-session';
import { paths } from '../../shared/paths';
import { undeliveredBallotNote } from '../../shared/storage';
import { toast } from '../../shared/ui/toast';
import { later } from './later';
import { LiveMeeting } from './live-meeting';
import { voterQueries } from './queries';
import type { RefusedProps } from './refused';
import { VoterShell } from './voter-shell';

const BACK = { to: paths.voting, label: 'Back' };

/** Few voters are refused, so the first load has no space for it. */
const Refused = later<RefusedProps>(
  () => import('./refused').then((loaded) => loaded.Refused),
  LoadingMeeting,
);

export function LiveVotingPage() {
  const { meetingId = '' } = useParams();
  const user = useUser();
  const [visit, setVisit] = useState(0);
  // The guard ensures a signed-in voter.
  return user ? (
    <Meeting key={meetingId + visit} meetingId={meetingId} user={user} onReady={() => setVisit(visit + 1)} />
  ) : null;
}

interface MeetingProps {
  meetingId: string;
  user: User;
  /** Begins anew with a meeting that was refused. */
  onReady: () => void;
}

function Meeting({ meetingId, user, onReady }: MeetingProps) {
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

  const renderRefused = (error: ApiError) => <Refused error={error} onReady={onReady} />;
  if (isFinal) {
    return renderRefused(meeting.error as ApiError);
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
