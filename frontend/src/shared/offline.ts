/** How many screens say by themselves that the network is gone: nobody else needs to. */
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
