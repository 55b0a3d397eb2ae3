import { useEffect } from 'react';

/** Keeps the projector's laptop from going to sleep while the page is looked at, where the browser can do that. */
export function useAwake(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let isOver = false;
    const release = () => {
      void lock?.release().catch(() => undefined);
      lock = null;
    };
    const request = async () => {
      // Offered on encrypted pages only.
      if (!('wakeLock' in navigator) || document.visibilityState !== 'visible') {
        return;
      }
      try {
        const next = await navigator.wakeLock.request('screen');
        release();
        lock = next;
        if (isOver) {
          release();
        }
      } catch {
        // Refused, for instance on the last of the battery.
      }
    };
    void request();
    // The browser lets go of it whenever the page is hidden.
    document.addEventListener('visibilitychange', request);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', request);
      release();
    };
  }, []);
}
