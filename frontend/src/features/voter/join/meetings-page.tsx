import { Button, Skeleton, VisuallyHidden } from '@mantine/core';
import { IconCalendarOff, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { messageOf, referenceOf } from '../../../api/api-error';
import { session } from '../../../api/session';
import { useUser } from '../../../api/use-session';
import { paths } from '../../../shared/paths';
import { forgetVoter, undeliveredBallotNote } from '../../../shared/storage';
import { EmptyState } from '../../../shared/ui/empty-state';
import { ErrorState } from '../../../shared/ui/error-state';
import type { KeptBallotsProps } from '../kept/kept-ballots';
import type { LogoutQuestionProps } from '../kept/logout-question';
import { later } from '../later';
import { voterQueries } from '../queries';
import { TestNotes } from '../test-notes';
import { VoterShell } from '../voter-shell';
import { MeetingCard } from './meeting-card';
import classes from './meetings-page.module.css';

/** Few voters leave a meeting before their vote is delivered. Both are in one file. */
const KeptBallots = later<KeptBallotsProps>(() =>
  import('../kept/kept-ballots').then((loaded) => loaded.KeptBallots),
);

const LogoutQuestion = later<LogoutQuestionProps>(() =>
  import('../kept/logout-question').then((loaded) => loaded.LogoutQuestion),
);

export function VoterMeetingsPage() {
  const user = useUser();
  const userId = user?.id ?? '';
  const [isAsked, setIsAsked] = useState(false);
  const { data: meetings, dataUpdatedAt, errorUpdatedAt } = useQuery(voterQueries.meetings());
  const isVoteKept = undeliveredBallotNote.isKept(userId);
  const [, setDecided] = useState(0);
  /** Stays for the outcomes. Its end ends the sending. */
  const [isSending, setIsSending] = useState(isVoteKept);
  if (isVoteKept && !isSending) {
    setIsSending(true);
  }

  function handleLogout() {
    if (isVoteKept) {
      setIsAsked(true);
    } else {
      logOut();
    }
  }

  function logOut() {
    forgetVoter();
    setIsSending(false);
    // The guard then redirects to the portal.
    void session.signOut();
  }

  return (
    <VoterShell
      title="Your Meetings"
      subtitle={user ? [`${user.clientName ?? ''} · ${user.name}`] : undefined}
      aside={
        <>
          <Button
            component={Link}
            to={paths.votingAccount}
            variant="subtle"
            color="gray"
            size="md"
            ml="auto"
            leftSection={<IconUserCircle size={18} stroke={1.75} aria-hidden="true" />}
          >
            Account
          </Button>
          <Button
            variant="subtle"
            color="gray"
            size="md"
            mr={-12}
            leftSection={<IconLogout size={18} stroke={1.75} aria-hidden="true" />}
            onClick={handleLogout}
          >
            Logout
          </Button>
        </>
      }
    >
      {isAsked && isVoteKept ? (
        <LogoutQuestion {...{ userId }} onStay={() => setIsAsked(false)} onLogout={logOut} />
      ) : null}
      <TestNotes user={user} />
      {isSending ? (
        <KeptBallots
          {...{ userId, meetings }}
          refreshedAt={Math.max(dataUpdatedAt, errorUpdatedAt)}
          onDecided={() => setDecided((count) => count + 1)}
        />
      ) : null}
      <MeetingList userId={userId} isVoteKept={isVoteKept} />
    </VoterShell>
  );
}

interface MeetingListProps {
  userId: string;
  /** A vote waits on this device to be sent. */
  isVoteKept: boolean;
}

function MeetingList({ userId, isVoteKept }: MeetingListProps) {
  const meetings = useQuery(voterQueries.meetings());

  if (meetings.isPending) {
    return (
      <div className={classes.list} role="status">
        <VisuallyHidden>Loading meetings...</VisuallyHidden>
        <Skeleton height={176} />
        <Skeleton height={176} />
      </div>
    );
  }
  if (meetings.data === undefined) {
    return (
      <ErrorState
        title={messageOf(meetings.error, 'Failed to load meetings')}
        hint={`${isVoteKept ? 'Your vote is kept on this device until it is sent.' : 'Your votes are not affected.'} This list tries again automatically.`}
        reference={referenceOf(meetings.error)}
        isRetrying={meetings.isFetching}
        onRetry={() => void meetings.refetch()}
      />
    );
  }
  if (meetings.data.length === 0) {
    return (
      <EmptyState
        icon={IconCalendarOff}
        title="No Meetings Available"
        hint="You don't have any active or upcoming meetings at the moment."
      />
    );
  }
  return (
    <ul className={classes.list}>
      {meetings.data.map((meeting) => (
        <li key={meeting.id}>
          <MeetingCard meeting={meeting} userId={userId} />
        </li>
      ))}
    </ul>
  );
}
