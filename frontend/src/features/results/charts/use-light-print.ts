import { useEffect } from 'react';

const SCHEME = 'data-mantine-color-scheme';

/** Paper is white: what is dark on the screen is printed light. */
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
