import { useEffect, useState } from 'react';
import { messageOf } from '../../api/api-error';
import { unwrap } from '../../api/client';
import { untilDecided } from '../../shared/paper-votes/until-decided';
import { type DeskMeeting, deskClient, hasDeskEnded } from './desk-api';
import { readKept, readQueue } from './desk-storage';
import { forgetBatch } from './tellers/batch-place';

type DeskState =
  | { state: 'loading'; isDelayed: boolean }
  | { state: 'checkIn' }
  | { state: 'other'; meeting: DeskMeeting; end: (error: unknown) => void }
  | { state: 'ended'; reason: string };

/** What the desk is for. A check-in desk that has its list on the device needs no network to know it. */
export function useDeskMeeting(token: string): DeskState {
  const [desk, setDesk] = useState<DeskState>({ state: 'loading', isDelayed: false });

  useEffect(() => {
    const attempts = new AbortController();
    const { signal } = attempts;
    const client = deskClient(token);
    const end = (error: unknown) => {
      forgetBatch(token);
      setDesk({ state: 'ended', reason: messageOf(error, 'The link of this desk does not work') });
    };

    async function open() {
      if (readQueue(token).length > 0 || (await readKept(token)) !== null) {
        setDesk({ state: 'checkIn' });
        return;
      }
      const meeting = await untilDecided((sent) => unwrap(client.GET('/desk', { signal: sent })), {
        signal,
        onDelayed: () => setDesk({ state: 'loading', isDelayed: true }),
        // The end deletes the batch of a teller, so no other refusal is one: it may be that of a proxy.
        isDecided: hasDeskEnded,
      });
      setDesk(meeting.purpose === 'CHECK_IN' ? { state: 'checkIn' } : { state: 'other', meeting, end });
    }

    open().catch((error: unknown) => {
      if (!signal.aborted && hasDeskEnded(error)) {
        end(error);
      }
    });
    return () => attempts.abort();
  }, [token]);

  return desk;
}
