import { useRef } from 'react';

/** Starts what is not under way: that something is busy is known a moment later, and a double click may be faster. */
export function useSingleStart(isBusy: boolean): (start: () => void) => void {
  const isStarting = useRef(false);
  return (start) => {
    if (isBusy || isStarting.current) {
      return;
    }
    isStarting.current = true;
    window.setTimeout(() => {
      isStarting.current = false;
    });
    start();
  };
}
