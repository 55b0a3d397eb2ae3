import { useEffect, useRef, useState } from 'react';
import { device, keysOf, undeliveredBallotNote, undeliveredKey } from '../../../shared/storage';

/**
 * The meetings of which this device keeps a ballot to be sent. Read again with each refresh of the list: another tab may have been closed before its ballot was delivered. A ballot that is new is left to its tab until the
 * next refresh, so that it is not sent twice.
 */
export function useKeptBallots(userId: string, refreshedAt: number): string[] {
  const [kept, setKept] = useState(() => meetingsOf(userId));
  const seen = useRef<string[]>([]);

  useEffect(() => {
    if (refreshedAt === 0) {
      return;
    }
    const now = meetingsOf(userId);
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

/** The meetings in which a ballot of this voter is kept. */
function meetingsOf(userId: string): string[] {
  const prefix = undeliveredKey('');
  return keysOf(device)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .filter((meetingId) => undeliveredBallotNote.read(meetingId, userId) !== null);
}
