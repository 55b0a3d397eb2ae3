import { Skeleton, VisuallyHidden } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { messageOf, referenceOf } from '../../../api/api-error';
import type { MeetingStatus } from '../../../api/types';
import { ErrorState } from '../../../shared/ui/error-state';
import { WarningNote } from '../../../shared/ui/warning-note';
import { type InvitationFilters, invitationQueries } from '../queries';
import { DraftNote } from './draft-note';
import { InvitationLetter } from './invitation-letter';
import { InvitationMail } from './invitation-mail';
import { JoinLinksCard } from './join-links-card';

interface InvitationsPanelProps {
  meetingId: string;
  meetingTitle: string;
  hasCheckIn: boolean;
  status: MeetingStatus;
}

/** Every way to invite: a text and a QR code to pass on, personal links, and email if the server can send it. */
export function InvitationsPanel({ meetingId, meetingTitle, hasCheckIn, status }: InvitationsPanelProps) {
  const [filters, setFilters] = useState<InvitationFilters>({ status: '', search: '', page: 1 });
  const isOver = status === 'COMPLETED' || status === 'CANCELLED';
  const link = useQuery({ ...invitationQueries.link(meetingId), enabled: !isOver });
  const invitations = useQuery({
    ...invitationQueries.list(meetingId, filters),
    enabled: isOver || link.data !== undefined,
  });
  // The text is the same on every page of the list, so it outlasts a page that could not be loaded.
  const latest = useRef(invitations.data);
  latest.current = invitations.data ?? latest.current;

  if (link.isLoadingError) {
    return <LoadingFailure query={link} />;
  }
  // Later failures leave what is shown: links that were made are shown only once.
  if (!isOver && link.data === undefined) {
    return <LoadingInvitations height={400} />;
  }
  return (
    <>
      {status === 'DRAFT' ? <DraftNote /> : null}
      {isOver ? (
        <WarningNote>The meeting is over. You can no longer invite anyone.</WarningNote>
      ) : (
        <>
          {latest.current ? (
            <InvitationLetter invitations={latest.current} />
          ) : invitations.isLoadingError ? null : (
            <Skeleton height={160} />
          )}
          {/* Whatever becomes of the list: links that were made are shown only once. */}
          <JoinLinksCard meeting={{ id: meetingId, title: meetingTitle, hasCheckIn }} />
        </>
      )}
      {invitations.data ? (
        <InvitationMail
          meetingId={meetingId}
          isOver={isOver}
          invitations={invitations.data}
          filters={filters}
          onFilters={setFilters}
        />
      ) : invitations.isLoadingError ? (
        <LoadingFailure query={invitations} />
      ) : (
        <LoadingInvitations height={240} />
      )}
    </>
  );
}

function LoadingFailure({ query }: { query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'> }) {
  return (
    <ErrorState
      title={messageOf(query.error, 'The invitations could not be loaded')}
      hint="Nothing was sent."
      reference={referenceOf(query.error)}
      isRetrying={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  );
}

function LoadingInvitations({ height }: { height: number }) {
  return (
    <div role="status">
      <VisuallyHidden>Loading the invitations...</VisuallyHidden>
      <Skeleton height={height} />
    </div>
  );
}
