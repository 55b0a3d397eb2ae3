import { useSession } from '../../api/use-session';
import classes from './session-notice.module.css';

/** The reason why a session ended, on a sign-in page. */
export function SessionNotice() {
  const state = useSession();
  const ended = state.status === 'anonymous' ? state.ended : undefined;
  if (!ended) {
    return null;
  }
  return (
    <p className={classes.root} role="status">
      {ended.by === 'otherTab'
        ? 'You were signed out in another tab. Sign in again to go on where you were.'
        : 'Your session has ended. That happens after a long pause, or when a password or an access was changed. Sign in again to go on where you were.'}
    </p>
  );
}
