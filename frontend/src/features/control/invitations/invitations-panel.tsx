import { Skeleton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
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
    enabled: isOver || link.isSuccess,
  });
  const failed = [link, invitations].find(({ isLoadingError }) => isLoadingError);

  if (failed) {
    return (
      <ErrorState
        title={messageOf(failed.error, 'The invitations could not be loaded')}
        hint="Nothing was sent."
        reference={referenceOf(failed.error)}
        isRetrying={failed.isFetching}
        onRetry={() => void failed.refetch()}
      />
    );
  }
  if (!invitations.data) {
    return (
      <div role="status">
        <VisuallyHidden>Loading the invitations...</VisuallyHidden>
        <Skeleton height={160} />
        <Skeleton height={240} mt="md" />
      </div>
    );
  }
  return (
    <>
      {status === 'DRAFT' ? <DraftNote /> : null}
      {isOver ? (
        <WarningNote>The meeting is over. You can no longer invite anyone.</WarningNote>
      ) : (
        <>
          <InvitationLetter invitations={invitations.data} />
          <JoinLinksCard meeting={{ id: meetingId, title: meetingTitle, hasCheckIn }} />
        </>
      )}
      <InvitationMail
        meetingId={meetingId}
        isOver={isOver}
        invitations={invitations.data}
        filters={filters}
        onFilters={setFilters}
      />
    </>
  );
}
