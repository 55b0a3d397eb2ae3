import { formatNumber } from '../../shared/format';
import { TestMeetingNote } from '../../shared/ui/test-meeting-note';
import type { DeskMeeting } from './desk-api';
import classes from './desk-page.module.css';

interface QuestionDeskHeadProps {
  meeting: DeskMeeting;
  /** Votes received of all people in the register, while voting is open. */
  votes: { votesCast: number; registerSize: number } | null;
  isConnected: boolean;
}

/** The name of a desk that needs the open question, its meeting, and the state of the connection. */
export function QuestionDeskHead({ meeting, votes, isConnected }: QuestionDeskHeadProps) {
  return (
    <>
      <title>{`${meeting.desk} · Plenum`}</title>
      <header className={classes.head}>
        <div>
          <h1 className={classes.title} dir="auto">
            {meeting.desk}
          </h1>
          <p className={classes.meeting} dir="auto">
            {meeting.meetingTitle}
          </p>
        </div>
        {votes ? (
          <p className={classes.count}>
            <strong>{formatNumber(votes.votesCast)}</strong> of {formatNumber(votes.registerSize)} voted
          </p>
        ) : null}
      </header>
      <TestMeetingNote title={meeting.meetingTitle} organization={meeting.organization} />
      <p className={classes.connection} data-state={isConnected ? 'online' : 'offline'} role="status">
        {isConnected ? 'Connected.' : 'No connection. This screen tries again by itself.'}
      </p>
    </>
  );
}
