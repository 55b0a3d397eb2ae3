import { anySignal } from './abort';
import { ApiError } from './api-error';

type Send = (request: Request) => Promise<Response>;

/**
 * Sends a request, and gives up after this time without a response, or without a further part of it: on a stalled
 * connection, a browser would wait for minutes. The response is returned once it is complete.
 */
export function within(limitMs: number, send: Send): Send {
  return (request) =>
    new Promise((resolve, reject) => {
      const limit = new AbortController();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          reject(ApiError.unreachable());
          limit.abort();
        }, limitMs);
      };
      wait();
      send(new Request(request, { signal: anySignal([request.signal, limit.signal]) }))
        .then((response) => complete(response, wait))
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
}

/** Receives the whole body of a response, and reports each part. */
async function complete(response: Response, onPart: () => void): Promise<Response> {
  onPart();
  const reader = response.clone().body?.getReader();
  while (reader && !(await reader.read()).done) {
    onPart();
  }
  return response;
}
