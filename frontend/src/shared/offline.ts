import { useSyncExternalStore } from 'react';

/** The number of screens that show the loss of the network themselves. The general notice is hidden meanwhile. */
let notices = 0;

export const offlineNotices = {
  areShown: (): boolean => notices > 0 && !navigator.onLine,
  add: (): (() => void) => {
    notices += 1;
    return () => {
      notices -= 1;
    };
  },
};

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** False if the browser knows that it has no network. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}
