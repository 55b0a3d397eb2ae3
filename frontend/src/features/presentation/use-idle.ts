import { useEffect, useState } from 'react';

const SIGNS_OF_LIFE = ['pointermove', 'pointerdown', 'keydown'] as const;

/**
 * Whether mouse, screen and keyboard were unused for this long. At first they count as used, because the page was
 * opened.
 */
export function useIdle(afterMs: number): boolean {
  const [isIdle, setIsIdle] = useState(false);

  useEffect(() => {
    let timer: number | undefined;
    const wake = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => setIsIdle(true), afterMs);
      setIsIdle(false);
    };
    wake();
    for (const sign of SIGNS_OF_LIFE) {
      window.addEventListener(sign, wake);
    }
    return () => {
      window.clearTimeout(timer);
      for (const sign of SIGNS_OF_LIFE) {
        window.removeEventListener(sign, wake);
      }
    };
  }, [afterMs]);

  return isIdle;
}
