import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../../shared/paths';
import { Outcome } from '../ballot/cast-outcome';
import { DelayedBallot } from '../ballot/delayed-ballot';
import { noteStored } from '../ballot/note-stored';
import { useBallotDelivery } from '../ballot/use-ballot-delivery';

export interface KeptBallotProps {
  meetingId: string;
  userId: string;
  onDecided: () => void;
}

/**
 * Sends the ballot that this device has kept of a meeting, outside of the meeting's page: its question may end before the
 * voter opens the meeting again. The meeting's page in another tab may send it too: the server answers both alike.
 */
export function KeptBallot({ meetingId, userId, onDecided }: KeptBallotProps) {
  const { delivery, setAside } = useBallotDelivery({
    meetingId,
    userId,
    // Without a live state, only the browser says that the network is back.
    connection: 'connecting',
    onStored: (stored) => {
      noteStored(meetingId, stored);
      onDecided();
    },
    onRefused: onDecided,
  });
  if (delivery.state === 'sending') {
    return <DelayedBallot ballot={delivery.ballot} isKept isNextOpen={false} onSetAside={setAside} />;
  }
  return (
    <>
      <Outcome delivery={delivery} missed={null} isPaperOpen={false} isAsideStored={false} />
      {delivery.state === 'refused' ? (
        <Button component={Link} to={paths.votingMeeting(meetingId)} variant="default" size="md">
          Open the meeting
        </Button>
      ) : null}
    </>
  );
}
