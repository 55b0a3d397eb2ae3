import { anySignal, throwIfAborted } from '../../../api/abort';
import { ApiError } from '../../../api/api-error';
import { apiUrl } from '../../../api/base-path';
import { fetchWithSession } from '../../../api/client';
import type { Answer } from './answer';
import { Unexpected } from './unexpected';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The sender of a request: the signed-in person (with token renewal), a bearer token, or no one. */
export type Identity = 'own' | { token: string } | null;

/** Longer than any answer may take; a longer wait is an error. */
const TIMEOUT_MS = 60_000;

/**
 * Sends requests as one identity and returns every answer, refusals included. Throws only if there is no answer at all
 * (`Unexpected`), or if the test was stopped (`AbortError`).
 */
export class Caller {
  readonly identity: Identity;
  readonly #signal: AbortSignal;
  /** Requests without an answer yet, of all callers that were derived from the same one. */
  readonly #underWay: Set<Promise<unknown>>;

  constructor(identity: Identity, signal: AbortSignal, underWay: Set<Promise<unknown>> = new Set()) {
    this.identity = identity;
    this.#signal = signal;
    this.#underWay = underWay;
  }

  /** Returns a caller with the same identity and another signal. */
  under(signal: AbortSignal): Caller {
    return new Caller(this.identity, signal, this.#underWay);
  }

  /** Returns a caller with another identity and the same signal. */
  as(identity: Identity): Caller {
    return new Caller(identity, this.#signal, this.#underWay);
  }

  /** `path` is below `/api`, with its query. */
  get(path: string, timeoutMs?: number): Promise<Answer> {
    return this.send('GET', path, undefined, timeoutMs);
  }

  post(path: string, body: unknown = {}): Promise<Answer> {
    return this.send('POST', path, body);
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.send('PUT', path, body);
  }

  delete(path: string, body?: unknown): Promise<Answer> {
    return this.send('DELETE', path, body);
  }

  async send(method: Method, path: string, body?: unknown, timeoutMs = TIMEOUT_MS): Promise<Answer> {
    throwIfAborted(this.#signal);
    const answer = this.#answerTo(method, path, body, timeoutMs);
    this.#underWay.add(answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(answer);
    }
  }

  /** Resolves when every request has its answer, and the code that awaited the last one has recorded it. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) {
      await Promise.allSettled(this.#underWay);
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  async #answerTo(method: Method, path: string, body: unknown, timeoutMs: number): Promise<Answer> {
    const call = `${method} ${path}`;
    const late = AbortSignal.timeout(timeoutMs);
    // Releases the signal of the test, which lives as long as thousands of requests.
    const over = new AbortController();
    const request = new Request(`${apiUrl}${path}`, {
      method,
      headers: this.#headers(body),
      body: body === undefined ? null : JSON.stringify(body),
      cache: 'no-store',
      // Requests that change something are never aborted: otherwise it would be unknown what they created, and it would
      // not be deleted.
      signal: method === 'GET' ? anySignal([this.#signal, late, over.signal]) : late,
    });
    const start = performance.now();
    try {
      const response = await (this.identity === 'own'
        ? fetchWithSession(request)
        : globalThis.fetch(request));
      const text = await response.text();
      const ms = performance.now() - start;
      return { call, status: response.status, headers: response.headers, body: parsed(text), ms };
    } catch (error) {
      if (method === 'GET') {
        throwIfAborted(this.#signal);
      }
      throw new Unexpected(reasonOf(error, call, timeoutMs));
    } finally {
      over.abort();
    }
  }

  #headers(body: unknown): Headers {
    // Without it, errors of votes are plain text.
    const headers = new Headers({ Accept: 'application/json' });
    if (body !== undefined) {
      headers.set('Content-Type', 'application/json');
    }
    if (this.identity !== null && this.identity !== 'own') {
      headers.set('Authorization', `Bearer ${this.identity.token}`);
    }
    return headers;
  }
}

function reasonOf(error: unknown, call: string, timeoutMs: number): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    const seconds = Math.round(timeoutMs / 1000);
    return `${call} was not answered within ${seconds === 60 ? 'a minute' : `${seconds} seconds`}`;
  }
  // The person's own session has ended, or could not be renewed.
  return error instanceof ApiError && error.status !== 0
    ? `${call} was not sent: ${error.message}`
    : `${call} did not reach the server`;
}

function parsed(text: string): unknown {
  if (text === '') {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
