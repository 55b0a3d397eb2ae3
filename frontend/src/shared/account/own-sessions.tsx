import { Button, type ButtonProps, Skeleton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../api/api-error';
import type { OwnSession } from '../../api/types';
import { countOf, formatDateTime, formatRecent } from '../format';
import { LoadError } from '../ui/load-error';
import { toast } from '../ui/toast';
import classes from './account.module.css';
import { useEndOtherSessions, useEndSession } from './mutations';
import { ownAccountQueries } from './queries';

type Size = NonNullable<ButtonProps['size']>;

/** Lists the person's sessions and offers to end them. */
export function OwnSessions({ size = 'xs' }: { size?: Size }) {
  const sessions = useQuery(ownAccountQueries.sessions());
  const endOthers = useEndOtherSessions();

  function handleEndOthers() {
    endOthers.mutate(undefined, {
      onSuccess: ({ ended }) => toast.success(`Signed out on ${countOf(ended, 'other device')}`),
    });
  }

  if (sessions.isPending) {
    return (
      <div role="status">
        <VisuallyHidden>Loading devices...</VisuallyHidden>
        <Skeleton height={64} />
      </div>
    );
  }
  if (sessions.data === undefined) {
    return (
      <LoadError
        message={messageOf(sessions.error, 'Failed to load your devices')}
        isRetrying={sessions.isFetching}
        onRetry={() => void sessions.refetch()}
      />
    );
  }
  return (
    <>
      <ul className={classes.sessions} aria-label="Signed-in devices">
        {sessions.data.map((session) => (
          <SessionRow key={session.id} session={session} size={size} />
        ))}
      </ul>
      {sessions.data.length > 1 ? (
        <Button
          className={classes.all}
          variant="default"
          size={size === 'xs' ? 'sm' : size}
          aria-disabled={endOthers.isPending || undefined}
          onClick={() => (endOthers.isPending ? undefined : handleEndOthers())}
        >
          Sign out on all other devices
        </Button>
      ) : null}
    </>
  );
}

function SessionRow({ session, size }: { session: OwnSession; size: Size }) {
  const endSession = useEndSession();
  const name = session.device ?? 'Unknown device';

  function handleEnd() {
    endSession.mutate(session.id, { onSuccess: () => toast.success(`Signed out on ${name}`) });
  }

  return (
    <li className={classes.session}>
      <div className={classes.facts}>
        <p className={classes.device}>
          {name}
          {session.isCurrent ? <span className={classes.current}>This device</span> : null}
        </p>
        <p className={classes.fact}>
          Signed in {formatDateTime(session.startedAt)}
          {session.address ? ` from ${session.address}` : ''}
        </p>
        {session.isCurrent ? null : (
          <p className={classes.fact}>Last used: {formatRecent(session.lastUsedAt)}</p>
        )}
      </div>
      {session.isCurrent ? null : (
        <Button
          variant="default"
          size={size}
          aria-label={`Sign out on ${name}`}
          aria-disabled={endSession.isPending || undefined}
          onClick={() => (endSession.isPending ? undefined : handleEnd())}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
