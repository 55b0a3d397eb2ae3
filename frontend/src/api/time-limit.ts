import { ApiError } from './api-error';

type Send = (request: Request) => Promise<Response>;

/**
 * Sends a request, and gives up after this time without a response: on a stalled connection, a browser would wait for
 * minutes.
 */
export function within(limitMs: number, send: Send): Send {
  return (request) =>
    new Promise((resolve, reject) => {
      const attempt = new AbortController();
      const { signal } = attempt;
      const timer = setTimeout(() => {
        reject(ApiError.unreachable());
        attempt.abort();
      }, limitMs);
      if (request.signal.aborted) {
        attempt.abort(request.signal.reason);
      }
      request.signal.addEventListener('abort', () => attempt.abort(request.signal.reason), { signal });
      send(new Request(request, { signal }))
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
}
