import createClient from 'openapi-fetch';
import { ApiError, toApiError } from './api-error';
import { apiUrl } from './base-path';
import type { paths } from './schema';
import { session } from './session';
import { within } from './time-limit';

/** Whether the token is too old, of an ended session, or (403) not signed with the server's current key. */
async function isTokenRefused(response: Response): Promise<boolean> {
  if (response.status !== 403) {
    return response.status === 401;
  }
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof body === 'object' && body !== null && 'code' in body && body.code === 'invalid_token';
}

/**
 * Sends the bearer token. If the server refuses it, renews it once and repeats the request. Fails if the session has
 * ended meanwhile: a request of one person is never sent with the token of the next one.
 */
export async function fetchWithSession(request: Request): Promise<Response> {
  const retry = request.clone();
  const token = await session.accessToken();
  request.headers.set('Authorization', `Bearer ${token}`);
  const response = await globalThis.fetch(request);
  if (!(await isTokenRefused(response))) {
    return response;
  }
  const renewed = await session.renewedToken(token);
  retry.headers.set('Authorization', `Bearer ${renewed}`);
  const second = await globalThis.fetch(retry);
  if (await isTokenRefused(second)) {
    // Even a new token is refused: the person or the client is no longer active.
    session.endSessionOf(renewed);
  }
  return second;
}

/** The longest wait for what a screen shows. The server itself gives up after thirty seconds. */
const READ_LIMIT_MS = 30_000;
/** The longest wait for the response to a step of a meeting. */
const STEP_LIMIT_MS = 15_000;

/** Limits the time of reads only: a change may take longer, and is not known to have failed. */
function limitReads(send: (request: Request) => Promise<Response>) {
  const read = within(READ_LIMIT_MS, send);
  return (request: Request) => (request.method === 'GET' ? read(request) : send(request));
}

/** Sends requests as the signed-in person. */
export const api = createClient<paths>({ baseUrl: apiUrl, fetch: limitReads(fetchWithSession) });

/** Asks for files, which may take longer to make than anything that a screen shows. */
export const fileApi = createClient<paths>({ baseUrl: apiUrl, fetch: fetchWithSession });

/**
 * Sends the steps of a meeting, such as the start of a question. Each names the state on which it is based, so one whose
 * response is lost can be repeated. Not for counting and declaring, which may take longer.
 */
export const stepApi = createClient<paths>({
  baseUrl: apiUrl,
  fetch: within(STEP_LIMIT_MS, fetchWithSession),
});

/** Sends requests without a token. */
export const publicApi = createClient<paths>({
  baseUrl: apiUrl,
  fetch: limitReads((request) => globalThis.fetch(request)),
});

/** The body of a successful response. Throws an `ApiError` for any other. */
export async function unwrap<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const answer = await reached(call);
  if (!answer.response.ok || answer.data === undefined) {
    throw toApiError(answer.response, answer.error);
  }
  return answer.data;
}

/** The same for responses without a body (204). */
export async function unwrapNothing(call: Promise<{ error?: unknown; response: Response }>): Promise<void> {
  const { response, error } = await reached(call);
  if (!response.ok) {
    throw toApiError(response, error);
  }
}

async function reached<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError || (error instanceof DOMException && error.name === 'AbortError')) {
      throw error;
    }
    throw ApiError.unreachable();
  }
}
