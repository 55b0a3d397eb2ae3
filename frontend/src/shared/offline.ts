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
