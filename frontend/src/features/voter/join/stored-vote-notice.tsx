import { undeliveredBallotNote } from '../../../shared/storage';
import classes from './join-shell.module.css';

/** On a sign-in page: the session ended while a vote was being sent. */
export function KeptVoteNotice() {
  return undeliveredBallotNote.isAnyKept() ? (
    <p className={classes.kept} role="status">
      A vote on this device is not yet delivered. It will be sent when the same person signs in again
      {undeliveredBallotNote.isAnyHeld() ? ' and opens the meeting' : null}.
    </p>
  ) : null;
}
