import { throwIfAborted } from '../../api/abort';
import { ApiError } from '../../api/api-error';
import { randomUuid } from '../../api/random-uuid';

/**
 * The reason why a sign-in takes long. queue: others come first. full: the queue is full. limit: too many attempts have
 * failed meanwhile. lost: the connection broke meanwhile. slow: unknown. `until` is the estimated end of the wait, by
 * this page's own clock (`performance.now`).
 */
export type SignInWait = { reason: 'queue' | 'full' | 'limit' | 'lost'; until: number } | { reason: 'slow' };

/** The place of a sign-in in the queue. */
export interface SignInPlace {
  waiting: number;
  seconds: number;
  isYours: boolean;
}

export interface SignInPorts<T> {
  /** Signs in. Safe to repeat: with the same ticket it keeps its place. */
  send: (ticket: string, signal: AbortSignal) => Promise<T>;
  place: (ticket: string, signal: AbortSignal) => Promise<SignInPlace>;
  /** Receives the reason to wait, or null if there is none any more. */
  onWait: (wait: SignInWait | null) => void;
}

/** A sign-in that takes no longer than this shows no notice. */
const UNNOTICED_MS = 1_000;
/** The place is requested again after a third of the wait: often near its end, and seldom while thousands wait. */
const SHORTEST_PAUSE_S = 3;
const LONGEST_PAUSE_S = 20;
/**
 * The longest time without a response, beyond the wait that the server stated last. Then the attempt counts as lost,
 * because a connection can fail silently.
 */
const LONGEST_SILENCE_MS = 120_000;
/** The pause after a lost connection; each pause is twice as long as the one before. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 10_000;
/** Spreads the retries of clients that were rejected at the same moment. */
const SPREAD = 0.25;

/** Signs in, and retries until the server has decided. */
export async function signInPatiently<T>(ports: SignInPorts<T>, signal: AbortSignal): Promise<T> {
  const ticket = randomUuid();
  let hasWaited = false;
  let hasStood = false;
  let retryMs = FIRST_RETRY_MS;
  try {
    for (;;) {
      try {
        return await sendOnce(ports, ticket, signal, (isInQueue) => {
          hasWaited = true;
          hasStood ||= isInQueue;
        });
      } catch (error) {
        const wait = repetition(error, { hasWaited, hasStood }, retryMs);
        if (signal.aborted || wait === null) {
          throw error;
        }
        hasWaited = true;
        hasStood ||= wait.reason === 'full';
        retryMs = wait.reason === 'full' ? FIRST_RETRY_MS : Math.min(retryMs * 2, LONGEST_RETRY_MS);
        ports.onWait({ reason: wait.reason, until: performance.now() + wait.ms });
        await pause(wait.ms, signal);
        throwIfAborted(signal);
      }
    }
  } finally {
    ports.onWait(null);
  }
}

/** Sends one attempt and watches its place. Gives up only when the server no longer reports it as waiting. */
async function sendOnce<T>(
  ports: SignInPorts<T>,
  ticket: string,
  signal: AbortSignal,
  onWaiting: (isInQueue: boolean) => void,
): Promise<T> {
  const attempt = new AbortController();
  const stop = () => attempt.abort();
  signal.addEventListener('abort', stop);
  let silence = window.setTimeout(stop, LONGEST_SILENCE_MS);
  const onEstimate = (ms: number) => {
    window.clearTimeout(silence);
    silence = window.setTimeout(stop, ms + LONGEST_SILENCE_MS);
  };
  void watchPlace(ports, ticket, attempt.signal, onWaiting, onEstimate);
  try {
    return await ports.send(ticket, attempt.signal);
  } catch (error) {
    throw attempt.signal.aborted && !signal.aborted ? ApiError.unreachable() : error;
  } finally {
    window.clearTimeout(silence);
    stop();
    signal.removeEventListener('abort', stop);
  }
}

/** The progress of a sign-in: whether it has taken long, and whether it was in the queue or was too late for it. */
interface Progress {
  hasWaited: boolean;
  hasStood: boolean;
}

/** The reason and the delay of a retry. Null if the server has decided, or the person has not waited yet. */
function repetition(error: unknown, { hasWaited, hasStood }: Progress, retryMs: number) {
  if (!(error instanceof ApiError)) {
    return null;
  }
  const spread = 1 + Math.random() * SPREAD;
  const askedMs = (error.retryAfterSeconds ?? 0) * 1_000;
  if (error.code === 'sign_in_busy') {
    return { reason: 'full' as const, ms: Math.max(askedMs, FIRST_RETRY_MS) * spread };
  }
  if (error.code === 'too_many_tries' && hasStood) {
    // Other attempts from the same address have failed meanwhile. Without a place in the queue, this sign-in itself
    // failed too often.
    return { reason: 'limit' as const, ms: Math.max(askedMs, retryMs) * spread };
  }
  return hasWaited && error.isTemporary
    ? { reason: 'lost' as const, ms: Math.max(askedMs, retryMs) * spread }
    : null;
}

/** Reports the estimated wait, once the sign-in has taken noticeably long, until it is stopped. */
async function watchPlace<T>(
  ports: SignInPorts<T>,
  ticket: string,
  signal: AbortSignal,
  onWaiting: (isInQueue: boolean) => void,
  onEstimate: (ms: number) => void,
): Promise<void> {
  await pause(UNNOTICED_MS, signal);
  let hasEstimate = false;
  while (!signal.aborted) {
    onWaiting(false);
    const place = await ports.place(ticket, signal).catch(() => null);
    if (signal.aborted) {
      return;
    }
    onWaiting(place?.isYours ?? false);
    const seconds = place?.seconds ?? SHORTEST_PAUSE_S;
    // Another instance, or this one when the turn has just come, only knows the wait of a new sign-in.
    if (place !== null && (place.isYours || (!hasEstimate && place.waiting > 0))) {
      hasEstimate = true;
      onEstimate(seconds * 1_000);
      ports.onWait({ reason: 'queue', until: performance.now() + seconds * 1_000 });
    } else if (!hasEstimate) {
      ports.onWait({ reason: 'slow' });
    }
    await pause(Math.min(Math.max(seconds / 3, SHORTEST_PAUSE_S), LONGEST_PAUSE_S) * 1_000, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = () => {
      window.clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = window.setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
