import { useEffect, useRef, useState } from 'react';
import { undeliveredBallotNote } from '../../../shared/storage';

/**
 * The meetings of which this device keeps a ballot to be sent. Read again with each refresh of the list: another tab may have been closed before its ballot was delivered. A ballot that is new is left to its tab until the
 * next refresh, so that it is not sent twice.
 */
export function useKeptBallots(userId: string, refreshedAt: number): string[] {
  const [kept, setKept] = useState(() => undeliveredBallotNote.meetingsOf(userId));
  const seen = useRef<string[]>([]);

  useEffect(() => {
    if (refreshedAt === 0) {
      return;
    }
    const now = undeliveredBallotNote.meetingsOf(userId);
    const waiting = now.filter((meetingId) => seen.current.includes(meetingId));
    seen.current = now;
    setKept((known) => {
      const more = waiting.filter((meetingId) => !known.includes(meetingId));
      // The outcomes of the others stay on the screen.
      return more.length > 0 ? [...known, ...more] : known;
    });
  }, [userId, refreshedAt]);

  return kept;
}
