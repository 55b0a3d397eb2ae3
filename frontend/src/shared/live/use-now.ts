import { useEffect, useState } from 'react';
import { serverNow } from './server-clock';

/** The device's time, once a period: for the age of what is shown. */
export function useNow(everyMs: number): number {
  return useTicking(Date.now, everyMs);
}

/** The server's time, once a period: for clocks, elapsed seconds and countdowns. */
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
