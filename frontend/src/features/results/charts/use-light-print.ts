import { useEffect } from 'react';

const SCHEME = 'data-mantine-color-scheme';

/** Prints the light theme, because paper is white. */
export function useLightPrint(): void {
  useEffect(() => {
    const root = document.documentElement;
    let before: string | null = null;
    const handleBefore = () => {
      before = root.getAttribute(SCHEME);
      root.setAttribute(SCHEME, 'light');
    };
    const handleAfter = () => {
      if (before !== null) {
        root.setAttribute(SCHEME, before);
      }
    };
    window.addEventListener('beforeprint', handleBefore);
    window.addEventListener('afterprint', handleAfter);
    return () => {
      window.removeEventListener('beforeprint', handleBefore);
      window.removeEventListener('afterprint', handleAfter);
    };
  }, []);
}
