import { useQuery } from '@tanstack/react-query';
import { publicApi, unwrap } from '../../api/client';
import { paths, publicUrl } from '../paths';
import classes from './presentation-check-in.module.css';
import { QrCode } from './qr-code';

/** The shortest interval between two requests. */
const SOON_MS = 1_000;

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
    refetchInterval: ({ state }) =>
      Math.max(SOON_MS, state.data ? Date.parse(state.data.until) - Date.now() : 5 * SOON_MS),
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
