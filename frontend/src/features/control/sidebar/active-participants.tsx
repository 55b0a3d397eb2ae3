import { IconUsers } from '@tabler/icons-react';
import { formatNumber } from '../../../shared/format';
import type { ConnectionStatus } from '../../../shared/live/live-connection';
import classes from './live-counts.module.css';

interface ActiveParticipantsProps {
  participantCount: number;
  /** Whether participants are counted by check-in, with or without a phone. */
  hasCheckIn: boolean;
  connection: ConnectionStatus;
}

/** The number of people who are connected or, with check-in, checked in, and the state of this screen's connection. */
export function ActiveParticipants({ participantCount, hasCheckIn, connection }: ActiveParticipantsProps) {
  return (
    <section className={classes.card} aria-labelledby="active-participants">
      <h2 id="active-participants" className={classes.title}>
        Active Participants
      </h2>
      <p className={classes.participants}>
        <IconUsers size={20} stroke={1.75} aria-hidden="true" />
        {participantCount === 0
          ? 'No participants yet'
          : `${formatNumber(participantCount)} Active ${participantCount === 1 ? 'Participant' : 'Participants'}`}
      </p>
      <p className={classes.context}>{connectionWords(connection, participantCount, hasCheckIn)}</p>
    </section>
  );
}

function connectionWords(
  connection: ConnectionStatus,
  participantCount: number,
  hasCheckIn: boolean,
): string {
  switch (connection) {
    case 'live':
      if (participantCount === 0) {
        return '';
      }
      return hasCheckIn ? 'Checked in, with or without a phone' : 'Connected via live stream';
    case 'delayed':
      return 'The servers cannot reach each other at the moment. The figures may be a few seconds old.';
    case 'polling':
      return 'The live stream is not available. This screen updates every 5 seconds.';
    case 'connecting':
      return 'Connecting to the live stream…';
    case 'offline':
      return 'No connection to the server. The figures are from the last update.';
  }
}
