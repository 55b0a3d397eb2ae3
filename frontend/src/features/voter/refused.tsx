import { Button } from '@mantine/core';
import { IconCalendarX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { type ApiError, messageOf } from '../../api/api-error';
import { paths } from '../../shared/paths';
import { EmptyState } from '../../shared/ui/empty-state';
import { NOT_OPEN_YET, NotOpenYet } from './not-open-yet';
import { useRefusalEnd } from './use-refusal-end';
import { VoterShell } from './voter-shell';

export interface RefusedProps {
  error: ApiError;
  /** Called when the server may show the meeting. */
  onReady: () => void;
}

const NOT_INVITED = 'not_invited';

/** The reason why the server does not show the meeting to this voter. */
export function Refused({ error, onReady }: RefusedProps) {
  switch (error.code) {
    case NOT_OPEN_YET:
      return <NotOpenYet onReady={onReady} />;
    case NOT_INVITED:
      return <NotInvited error={error} onReady={onReady} />;
    default:
      return <Final error={error} />;
  }
}

/** The organizer may invite the voter at any moment, for example a latecomer who stands in front of them. */
function NotInvited({ error, onReady }: RefusedProps) {
  useRefusalEnd(NOT_INVITED, onReady);
  return <Final error={error} hint="If the organizer invites you, this page opens by itself." />;
}

function Final({ error, hint }: { error: ApiError; hint?: string }) {
  const isMissing = error.status === 404;
  const title = isMissing ? 'Meeting Not Found' : 'You are not invited to this meeting';
  return (
    <VoterShell title={title}>
      <EmptyState
        icon={IconCalendarX}
        title={isMissing ? 'This meeting does not exist or was deleted.' : messageOf(error, title)}
        {...(hint === undefined ? {} : { hint })}
        action={
          <Button component={Link} to={paths.voting} size="lg" h={56}>
            Back to Dashboard
          </Button>
        }
      />
    </VoterShell>
  );
}
