import { anySignal, throwIfAborted } from '../../api/abort';
import { ApiError } from '../../api/api-error';

const ANSWER_TIMEOUT_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 3_000;
/** Devices that lost the same server must not all retry at the same moment. */
const PAUSE_SPREAD = 0.5;

interface Options {
  /** Ends the attempts. */
  signal: AbortSignal;
  /** Called after each attempt without a decision. */
  onDelayed: () => void;
  /** Whether an error ends the attempts. By default every refusal does. */
  isDecided?: (error: unknown) => boolean;
}

/**
 * Repeats a request until the server accepts or refuses it. Each attempt MUST send the same content with the same id: after
 * a lost response it is unknown whether the server has stored it.
 */
export async function untilDecided<Answer>(
  send: (signal: AbortSignal) => Promise<Answer>,
  { signal, onDelayed, isDecided = isRefusal }: Options,
): Promise<Answer> {
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    throwIfAborted(signal);
    try {
      return await attempt(send, signal);
    } catch (error) {
      throwIfAborted(signal);
      if (isDecided(error)) {
        throw error;
      }
      onDelayed();
      const askedMs = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
      await pause(Math.max(askedMs, pauseMs) * (1 + Math.random() * PAUSE_SPREAD), signal, askedMs === 0);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }
}

/** Whether the server refused the request, and will refuse the same request later. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && ![0, 408, 429].includes(error.status) && error.status < 500;
}

/** Sends a request once, and not longer than ten seconds. */
export async function attempt<Answer>(
  send: (signal: AbortSignal) => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  const timeout = new AbortController();
  const timer = window.setTimeout(() => timeout.abort(), ANSWER_TIMEOUT_MS);
  try {
    return await send(anySignal([signal, timeout.signal]));
  } finally {
    window.clearTimeout(timer);
  }
}

/** A pause that the server asked for is not cut short when the network returns. */
function pause(durationMs: number, signal: AbortSignal, canBeCutShort: boolean): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      window.clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = window.setTimeout(end, durationMs);
    signal.addEventListener('abort', end);
    if (canBeCutShort) {
      window.addEventListener('online', end);
    }
  });
}
