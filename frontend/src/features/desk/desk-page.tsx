import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import { CheckInDesk } from './check-in-desk';
import { DeskMessage } from './desk-message';
import { useDeskMeeting } from './use-desk-meeting';

const VotingPlace = lazy(() =>
  import('./voting-place/voting-place').then((loaded) => ({ default: loaded.VotingPlace })),
);
const Tellers = lazy(() => import('./tellers/tellers').then((loaded) => ({ default: loaded.Tellers })));

/** The screen of a helper without an account. The link has the token behind #, which the browser does not send. */
export function DeskPage() {
  const { hash } = useLocation();
  const token = hash.slice(1);
  return token.startsWith('desk_') ? <Desk key={token} token={token} /> : <NoLink />;
}

function NoLink() {
  return (
    <DeskMessage title="Desk">
      <p role="alert">This address is not complete. Please open the link that you got from the organizer.</p>
    </DeskMessage>
  );
}

function Desk({ token }: { token: string }) {
  const desk = useDeskMeeting(token);
  switch (desk.state) {
    case 'loading':
      return (
        <DeskMessage title="Desk">
          <p role="status">
            {desk.isDelayed ? 'There is no connection. This screen tries again…' : 'Opening the desk…'}
          </p>
        </DeskMessage>
      );
    case 'ended':
      return (
        <DeskMessage title="This desk is closed">
          <p role="alert">{desk.reason}</p>
        </DeskMessage>
      );
    case 'checkIn':
      return <CheckInDesk token={token} />;
    case 'other': {
      const { meeting, end } = desk;
      const Work = meeting.purpose === 'TELLERS' ? Tellers : VotingPlace;
      return (
        <Suspense
          fallback={
            <DeskMessage title={meeting.desk}>
              <p role="status">Opening the desk…</p>
            </DeskMessage>
          }
        >
          <Work token={token} meeting={meeting} onEnded={end} />
        </Suspense>
      );
    }
  }
}
