import { Desks } from '../../../shared/desks/desks';
import type { LiveState } from '../../../shared/live/live-events';
import { AttendanceList } from './attendance-list';
import classes from './check-in.module.css';

const PURPOSES = ['CHECK_IN', 'VOTING_PLACE', 'TELLERS'] as const;

/** The desks of a meeting, and who is there. */
export function CheckInPanel({ meetingId, live }: { meetingId: string; live: LiveState | null }) {
  return (
    <div className={classes.root}>
      <Desks meetingId={meetingId} title="Desks" purposes={PURPOSES} />
      <AttendanceList meetingId={meetingId} live={live} />
    </div>
  );
}
