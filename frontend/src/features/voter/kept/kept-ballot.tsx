import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { Ballot } from '../../../shared/ballot/ballot';
import { paths } from '../../../shared/paths';
import { ballotDraftNote } from '../../../shared/storage';
import { Outcome } from '../ballot/cast-outcome';
import { DelayedBallot } from '../ballot/delayed-ballot';
import { noteStored } from '../ballot/note-stored';
import { useBallotDelivery } from '../ballot/use-ballot-delivery';
import { ignore } from '../secret/load-sealing';

export interface KeptBallotProps {
  meetingId: string;
  /** Unknown until the list is loaded. */
  meetingTitle: string | undefined;
  userId: string;
  onDecided: () => void;
}

/**
 * Sends the ballot that this device has kept of a meeting, outside of the meeting's page: its question may end before the
 * voter opens the meeting again. The meeting's page in another tab may send it too: the server answers both alike.
 */
export function KeptBallot({ meetingId, meetingTitle, userId, onDecided }: KeptBallotProps) {
  const { delivery, setAside } = useBallotDelivery({
    meetingId,
    userId,
    // Without a live state, only the browser says that the network is back.
    connection: 'connecting',
    onStored: (stored) => {
      noteStored(meetingId, stored);
      onDecided();
    },
    onRefused: (refused) => {
      const { ballot, refusal } = refused;
      void import('../results/own-vote').then(({ noteLate }) => noteLate(refused), ignore);
      if (refusal === 'invalid_ballot') {
        keepAsDraft(meetingId, userId, ballot);
      }
      onDecided();
    },
  });
  if (delivery.state === 'sending') {
    const { ballot } = delivery;
    return <DelayedBallot {...{ ballot, meetingTitle }} isKept isNextOpen={false} onSetAside={setAside} />;
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

/** An answer that does not fit can be changed on the meeting's page only. A sealed one is not known any more. */
function keepAsDraft(meetingId: string, userId: string, ballot: Ballot) {
  const { questionId, roundId, text, answers, shown } = ballot;
  if (answers.length > 0 && ballotDraftNote.read(meetingId, userId) === null) {
    ballotDraftNote.save(meetingId, {
      userId,
      questionId,
      roundId,
      text,
      answers,
      ...(shown === undefined ? {} : { shown }),
    });
  }
}
