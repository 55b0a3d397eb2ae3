import { useEffect, useState } from 'react';
import { playSilentFilm } from './silent-video';

/**
 * Keeps the projector's computer from going to sleep while the page is looked at: by a lock of the browser, and where
 * that is not offered, as on pages without TLS, by a film that nobody sees. Says whether one of them works.
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
    // The browser lets go of a lock, and halts a film, whenever the page is hidden.
    document.addEventListener('visibilitychange', keep);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', keep);
      release();
    };
  }, []);

  return isAwake;
}

/** Gives back what lets go of it, or null where the browser has no lock or refuses it, as on the last of the battery. */
async function lockScreen(): Promise<(() => void) | null> {
  // Offered on encrypted pages only.
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
