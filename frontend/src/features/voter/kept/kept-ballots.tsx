import type { VoterMeetingSummary } from '../../../api/types';
import { KeptBallot } from './kept-ballot';
import { useKeptBallots } from './use-kept-ballots';

export interface KeptBallotsProps {
  userId: string;
  /** Undefined until the list is loaded. */
  meetings: VoterMeetingSummary[] | undefined;
  /** When the list was refreshed last; 0 before. */
  refreshedAt: number;
  onDecided: () => void;
}

/** Sends the ballots that this device has kept, each with what became of it. */
export function KeptBallots({ userId, meetings, refreshedAt, onDecided }: KeptBallotsProps) {
  const kept = useKeptBallots(userId, refreshedAt);
  return kept.map((meetingId) => (
    <KeptBallot
      key={meetingId}
      meetingId={meetingId}
      meetingTitle={meetings?.find(({ id }) => id === meetingId)?.title}
      userId={userId}
      onDecided={onDecided}
    />
  ));
}
