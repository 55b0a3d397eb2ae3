import { useEffect, useState } from 'react';

interface FullScreen {
  isPossible: boolean;
  isFull: boolean;
  toggle: () => void;
}

/** The whole screen by one key: F. The browser itself takes Escape to leave it. */
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
  // Not at all on iPhones.
  if (!document.fullscreenEnabled) {
    return;
  }
  const change = isFullNow() ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  // Refused by the browser or by who embeds the page: the screen is as good as it was.
  change.catch(() => undefined);
}

function isPlainF({ key, code, repeat, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const isLatin = /^[a-z]$/i.test(key);
  // On a keyboard of another alphabet, the key at the place of F.
  const isF = isLatin ? key.toLowerCase() === 'f' : code === 'KeyF';
  return isF && !repeat && !ctrlKey && !metaKey && !altKey;
}
