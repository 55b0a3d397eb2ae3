/**
 * Runs one task of this name at a time, in all tabs, where the browser has locks: on https and localhost. A tab that the
 * browser has frozen may hold the lock for ever. So after `limitMs`, the task runs without it.
 */
export async function exclusively<Result>(
  name: string,
  limitMs: number,
  task: () => Promise<Result>,
): Promise<Result> {
  if (!navigator.locks) {
    return task();
  }
  const waiting = new AbortController();
  const timer = window.setTimeout(() => waiting.abort(), limitMs);
  let isHeld = false;
  try {
    return await navigator.locks.request(name, { signal: waiting.signal }, () => {
      isHeld = true;
      window.clearTimeout(timer);
      return task();
    });
  } catch (error) {
    if (waiting.signal.aborted && !isHeld) {
      return task();
    }
    throw error;
  }
}
