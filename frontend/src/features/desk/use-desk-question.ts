import { useEffect, useEffectEvent, useState } from 'react';
import { unwrap } from '../../api/client';
import type { DeskQuestion, RoundWithLeftBatches } from '../../api/types';
import { attempt } from '../../shared/paper-votes/until-decided';
import { type DeskClient, type DeskMeeting, hasDeskEnded } from './desk-api';

const EVERY_MS = 3_000;

export interface DeskWorkProps {
  token: string;
  meeting: DeskMeeting;
  /** Called when the link no longer works. */
  onEnded: (error: unknown) => void;
}

interface OpenQuestion {
  /** The question on which voting is open. Undefined until it is known. */
  question: DeskQuestion | null | undefined;
  /** The questions whose voting ended while batches of votes on paper waited. */
  leftBatches: RoundWithLeftBatches[];
  /** Whether the last attempt reached the server. */
  isConnected: boolean;
}

/** The open question, asked for every few seconds. */
export function useDeskQuestion(client: DeskClient, onEnded: DeskWorkProps['onEnded']): OpenQuestion {
  const [open, setOpen] = useState<OpenQuestion>({
    question: undefined,
    leftBatches: [],
    isConnected: true,
  });
  const end = useEffectEvent(onEnded);

  useEffect(() => {
    const stopped = new AbortController();
    let timer: number | undefined;

    async function ask() {
      window.clearTimeout(timer);
      try {
        const { question, leftBatches } = await attempt(
          (signal) => unwrap(client.GET('/desk/question', { signal })),
          stopped.signal,
        );
        setOpen({ question, leftBatches, isConnected: true });
      } catch (error) {
        if (stopped.signal.aborted) {
          return;
        }
        if (hasDeskEnded(error)) {
          end(error);
          return;
        }
        setOpen((last) => ({ ...last, isConnected: false }));
      }
      if (!stopped.signal.aborted) {
        timer = window.setTimeout(ask, EVERY_MS);
      }
    }

    void ask();
    return () => {
      stopped.abort();
      window.clearTimeout(timer);
    };
  }, [client]);

  return open;
}
