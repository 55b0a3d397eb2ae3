import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { ApiError } from '../../../api/api-error';
import type { Invitation, User } from '../../../api/types';
import { useUser } from '../../../api/use-session';
import { paths } from '../../../shared/paths';
import { pendingMeetingNote } from '../../../shared/storage';
import { LoadingScreen } from '../../../shared/ui/loading-screen';
import { voterQueries } from '../queries';
import { EntryShell } from './join-shell';
import classes from './join-shell.module.css';

/** Opens the meeting of an invitation link, after a sign-in if needed. */
export function InvitationPage() {
  const { linkToken = '' } = useParams();
  const user = useUser();
  const invitation = useQuery(voterQueries.invitation(linkToken));

  if (invitation.isPending) {
    return <LoadingScreen text="Processing invitation..." />;
  }
  if (invitation.isError && !isRefusal(invitation.error)) {
    return (
      <EntryShell
        title="Your invitation could not be opened yet"
        description={`${reasonOf(invitation.error)} This page tries again automatically.`}
      >
        <Actions>
          <Button
            size="lg"
            h={56}
            fullWidth
            loading={invitation.isFetching}
            onClick={() => invitation.refetch()}
          >
            Try again
          </Button>
        </Actions>
      </EntryShell>
    );
  }
  if (invitation.isError) {
    return (
      <EntryShell
        title="Invalid Invitation"
        description="Failed to process invitation link. The meeting may not exist or the link may have expired."
      >
        <Actions>
          <ToPortal />
        </Actions>
      </EntryShell>
    );
  }

  if (user && user.role !== 'END_USER') {
    return (
      <EntryShell
        title={invitation.data.title}
        description="You need to log in as a participant to join this meeting"
      >
        <Actions>
          <ToPortal />
        </Actions>
      </EntryShell>
    );
  }
  return <Redirecting invitation={invitation.data} linkToken={linkToken} user={user} />;
}

function reasonOf(error: Error): string {
  return error instanceof ApiError && error.status === 429
    ? error.message
    : 'The server could not be reached.';
}

/** The server does not know the link. Other errors tell nothing about it. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && [400, 404, 410, 422].includes(error.status);
}

interface RedirectingProps {
  invitation: Invitation;
  linkToken: string;
  user: User | null;
}

function Redirecting({ invitation, linkToken, user }: RedirectingProps) {
  const navigate = useNavigate();
  const isMember = user?.clientId === invitation.clientId;

  useEffect(() => {
    if (isMember) {
      navigate(paths.votingMeeting(invitation.id), { replace: true });
      return;
    }
    // The sign-in reads the note when it mounts, so it is written before the address changes.
    pendingMeetingNote.save({ meetingId: invitation.id, linkToken, meetingTitle: invitation.title });
    navigate(paths.participantLogin(invitation.client.clientCode), { replace: true });
  }, [invitation, isMember, linkToken, navigate]);

  return <LoadingScreen text="Redirecting..." />;
}

function Actions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}

function ToPortal() {
  return (
    <Button component={Link} to={paths.participant} variant="default" size="lg" fullWidth>
      Go to Participant Portal
    </Button>
  );
}
