/**
 * The longest time for which a saved change waits for the lists that show it. A network that lost the connection after the
 * save would otherwise keep a form busy for minutes.
 */
const LONGEST_WAIT_MS = 3_000;

/**
 * The `onSuccess` of a mutation that changes what `reload` loads again. The mutation stays pending until then, three
 * seconds at most, so that a form closes over the new state.
 */
export function reloadAfterSuccess(reload: () => Promise<unknown>): () => Promise<void> {
  return () => settledSoon(reload());
}

/**
 * The `onSettled` of such a mutation: also after a failure, because the screen may have been out of date. A failed
 * mutation does not wait for it, so that one can try again as soon as the failure is shown.
 */
export function reloadAfterAttempt(
  reload: () => Promise<unknown>,
): (data: unknown, error: Error | null) => Promise<void> | undefined {
  return (_data, error) => {
    const reloaded = settledSoon(reload());
    return error === null ? reloaded : undefined;
  };
}

/** Ends with the reload, whether or not it succeeded, or after the longest wait. Never rejects. */
export function settledSoon(reloaded: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = window.setTimeout(resolve, LONGEST_WAIT_MS);
    const end = () => {
      window.clearTimeout(timer);
      resolve();
    };
    reloaded.then(end, end);
  });
}
