import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  LiveConnection,
  type LiveSnapshot,
  type LiveSource,
  silentSnapshot,
  type Versioned,
} from './live-connection';

export interface LiveCallbacks<State> {
  onChange?: (previous: State | null, next: State) => void;
  onServerError?: (message: string) => void;
}

export interface Live<State> extends LiveSnapshot<State> {
  /** Fetches the snapshot now. */
  refresh: () => Promise<void>;
}

/** The one hook that owns an `EventSource`. A change of `subject` begins a new connection. */
export function useLiveConnection<State extends Versioned, Event extends { type: string; data: unknown }>(
  subject: string,
  createSource: (subject: string) => LiveSource<State, Event>,
  { onChange, onServerError }: LiveCallbacks<State>,
): Live<State> {
  const [snapshot, setSnapshot] = useState<LiveSnapshot<State>>(silentSnapshot);
  const connection = useRef<LiveConnection<State, Event> | null>(null);
  const handleChange = useEffectEvent((previous: State | null, next: State) => onChange?.(previous, next));
  const handleServerError = useEffectEvent((message: string) => onServerError?.(message));

  useEffect(() => {
    const current = new LiveConnection(createSource(subject), {
      onSnapshot: setSnapshot,
      onChange: handleChange,
      onServerError: handleServerError,
    });
    connection.current = current;
    current.start();
    return () => {
      current.stop();
      connection.current = null;
      setSnapshot(silentSnapshot());
    };
  }, [subject, createSource]);

  const refresh = useCallback(async () => connection.current?.refresh(), []);
  return { ...snapshot, refresh };
}
