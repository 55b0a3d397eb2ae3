import { useEffect, useState } from 'react';

interface FullScreen {
  isPossible: boolean;
  isFull: boolean;
  toggle: () => void;
}

/** Toggles full screen with the F key. The browser itself handles Escape. */
export function useFullScreen(): FullScreen {
  const [isFull, setIsFull] = useState(isFullNow);

  useEffect(() => {
    const notice = () => setIsFull(isFullNow());
    const handleKey = (event: KeyboardEvent) => {
      if (isPlainF(event)) {
        event.preventDefault();
        toggle();
      }
    };
    document.addEventListener('fullscreenchange', notice);
    window.addEventListener('keydown', handleKey);
    return () => {
      document.removeEventListener('fullscreenchange', notice);
      window.removeEventListener('keydown', handleKey);
    };
  }, []);

  return { isPossible: document.fullscreenEnabled, isFull, toggle };
}

function isFullNow(): boolean {
  return Boolean(document.fullscreenElement);
}

function toggle(): void {
  // iPhones do not support it.
  if (!document.fullscreenEnabled) {
    return;
  }
  const change = isFullNow() ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  // Refused by the browser or by the embedding page: the presentation works without it.
  change.catch(() => undefined);
}

function isPlainF({ key, code, repeat, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const isLatin = /^[a-z]$/i.test(key);
  // On a non-Latin keyboard, the key at the position of F.
  const isF = isLatin ? key.toLowerCase() === 'f' : code === 'KeyF';
  return isF && !repeat && !ctrlKey && !metaKey && !altKey;
}
