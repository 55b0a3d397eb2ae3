import { anySignal } from './abort';
import { ApiError } from './api-error';

type Send = (request: Request) => Promise<Response>;

/**
 * Sends a request, and gives up after this time without a response: on a stalled connection, a browser would wait for
 * minutes.
 */
export function within(limitMs: number, send: Send): Send {
  return (request) =>
    new Promise((resolve, reject) => {
      const limit = new AbortController();
      const timer = setTimeout(() => {
        reject(ApiError.unreachable());
        limit.abort();
      }, limitMs);
      send(new Request(request, { signal: anySignal([request.signal, limit.signal]) }))
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
}
