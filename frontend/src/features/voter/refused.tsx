import { Button } from '@mantine/core';
import { IconCalendarX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { type ApiError, messageOf } from '../../api/api-error';
import { paths } from '../../shared/paths';
import { EmptyState } from '../../shared/ui/empty-state';
import { NotOpenYet } from './not-open-yet';
import { VoterShell } from './voter-shell';

export interface RefusedProps {
  error: ApiError;
  /** Called when the server may show the meeting. */
  onReady: () => void;
}

/** The reason why the server does not show the meeting to this voter. */
export function Refused({ error, onReady }: RefusedProps) {
  if (error.code === 'meeting_not_open_yet') {
    return <NotOpenYet onReady={onReady} />;
  }
  const isMissing = error.status === 404;
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
