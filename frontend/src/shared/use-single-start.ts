import { useRef } from 'react';

/** Starts an action that does not run yet. The busy state is set a moment later, and a double click may be faster. */
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
