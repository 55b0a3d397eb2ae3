import type { LiveState } from '../../../shared/live/live-events';
import { AttendanceList } from './attendance-list';
import classes from './check-in.module.css';
import { Desks } from './desks';

/** The desks of a meeting, and who is there. */
export function CheckInPanel({ meetingId, live }: { meetingId: string; live: LiveState | null }) {
  return (
    <div className={classes.root}>
      <Desks meetingId={meetingId} />
      <AttendanceList meetingId={meetingId} live={live} />
    </div>
  );
}
