import { useQuery } from '@tanstack/react-query';
import { publicApi, unwrap } from '../../api/client';
import { serverNow } from '../live/server-clock';
import { paths, publicUrl } from '../paths';
import classes from './presentation-check-in.module.css';
import { QrCode } from './qr-code';

/** The shortest interval between two requests. */
const SOON_MS = 1_000;
/** The longest one: a new code comes this often, also where a wrong clock says otherwise. */
const EVERY_MS = 30_000;

/** The time until the next code. */
function untilNext(until: string): number {
  return Math.min(EVERY_MS, Math.max(SOON_MS, Date.parse(until) - serverNow()));
}

/** The changing code with which voters check themselves in, as text and as QR code. */
export function PresentationCheckIn({ meetingId }: { meetingId: string }) {
  const shown = useQuery({
    queryKey: ['presentation', 'check-in-code', meetingId],
    queryFn: ({ signal }) =>
      unwrap(
        publicApi.GET('/public/meetings/{meetingId}/check-in-code', {
          params: { path: { meetingId } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (state.data ? untilNext(state.data.until) : 5 * SOON_MS),
  });
  if (!shown.data) {
    return null;
  }
  const { code } = shown.data;
  return (
    <div className={classes.root}>
      <div className={classes.words}>
        <p className={classes.label}>Check in with this code</p>
        <p className={classes.code}>
          {code.slice(0, 3)} {code.slice(3)}
        </p>
        <p className={classes.label}>It changes every 30 seconds</p>
      </div>
      <div className={classes.qr}>
        <QrCode
          text={publicUrl(`${paths.votingMeeting(meetingId)}#check-in=${code}`)}
          label="QR code for check-in"
        />
      </div>
    </div>
  );
}
