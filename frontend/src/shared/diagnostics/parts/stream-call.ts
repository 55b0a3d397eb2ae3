import { anySignal, throwIfAborted } from '../../../api/abort';
import { apiUrl } from '../../../api/base-path';
import type { Answer } from '../run/answer';
import { Unexpected } from '../run/unexpected';

/** A stream begins at once, and so does a refusal. */
const TIMEOUT_MS = 15_000;

/**
 * Requests a stream and returns its beginning: the first chunk of an accepted one, the whole answer of a refused one.
 * Then it closes the stream. `path` may contain the token in its query, as a browser's `EventSource` does.
 */
export async function beginningOfStream(
  path: string,
  token: string | null,
  signal: AbortSignal,
): Promise<Answer> {
  throwIfAborted(signal);
  const closing = new AbortController();
  const late = AbortSignal.timeout(TIMEOUT_MS);
  const call = `GET ${path.replace(/token=[^&]*/, 'token=…')}`;
  const start = performance.now();
  try {
    const response = await fetch(`${apiUrl}${path}`, {
      headers: token === null ? {} : { Authorization: `Bearer ${token}` },
      cache: 'no-store',
      signal: anySignal([signal, late, closing.signal]),
    });
    const text = response.ok ? await firstPiece(response) : await response.text();
    const ms = performance.now() - start;
    return { call, status: response.status, headers: response.headers, body: parsed(text), ms };
  } catch {
    throwIfAborted(signal);
    throw new Unexpected(
      late.aborted
        ? `${call} sent nothing within ${TIMEOUT_MS / 1000} seconds`
        : `${call} did not reach the server`,
    );
  } finally {
    closing.abort();
  }
}

async function firstPiece(response: Response): Promise<string> {
  const piece = await response.body?.getReader().read();
  return new TextDecoder().decode(piece?.value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
