import { useEffect, useState } from 'react';
import { serverNow } from './server-clock';

/** The device's time, updated at an interval: for the age of the shown state. */
export function useNow(everyMs: number): number {
  return useTicking(Date.now, everyMs);
}

/** The server's time, updated at an interval: for clocks, elapsed seconds and countdowns. */
export function useServerNow(everyMs: number): number {
  return useTicking(serverNow, everyMs);
}

function useTicking(read: () => number, everyMs: number): number {
  const [now, setNow] = useState(read);
  useEffect(() => {
    const timer = window.setInterval(() => setNow(read()), everyMs);
    return () => window.clearInterval(timer);
  }, [read, everyMs]);
  return now;
}
