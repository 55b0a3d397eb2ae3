import { useEffect, useState } from 'react';
import { playSilentFilm } from './silent-video';

/**
 * Prevents the projector's computer from sleeping while the page is visible. It uses the browser's wake lock. Pages
 * without TLS have none and use an invisible video instead. Returns whether one of them works.
 */
export function useAwake(): boolean {
  const [isAwake, setIsAwake] = useState(true);

  useEffect(() => {
    let release = () => {};
    let isOver = false;
    const keep = async () => {
      if (document.visibilityState !== 'visible') {
        return;
      }
      const next = (await lockScreen()) ?? (await playSilentFilm());
      release();
      release = next ?? (() => {});
      if (isOver) {
        release();
      } else {
        setIsAwake(next !== null);
      }
    };
    void keep();
    // The browser releases the lock and pauses the video whenever the page is hidden.
    document.addEventListener('visibilitychange', keep);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', keep);
      release();
    };
  }, []);

  return isAwake;
}

/** Returns a function that releases the lock. Null if the browser has none or refuses it, as on a low battery. */
async function lockScreen(): Promise<(() => void) | null> {
  // Available on pages with TLS only.
  if (!('wakeLock' in navigator)) {
    return null;
  }
  try {
    const lock = await navigator.wakeLock.request('screen');
    return () => void lock.release().catch(() => undefined);
  } catch {
    return null;
  }
}
