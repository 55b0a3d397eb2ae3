import createClient from 'openapi-fetch';
import { ApiError } from '../../api/api-error';
import { apiUrl } from '../../api/base-path';
import { unwrap } from '../../api/client';
import type { components, paths } from '../../api/schema';
import { within } from '../../api/time-limit';

type Schemas = components['schemas'];

export type DeskMeeting = Schemas['DeskStateView'];
export type Attendee = Schemas['Attendee'];
export type PresenceEntry = Schemas['PresenceEntry'];
export type PresenceKind = Schemas['PresenceKind'];
export type DeskEntryResult = Schemas['DeskEntryResult'];

/** An entry to send. `at` is left out if it happens now. */
export interface SentEntry {
  id: string;
  endUserId: string;
  kind: PresenceKind;
  at: string | null;
}

/** The longest wait for a response. Every call of a desk can be repeated, so none needs to wait longer. */
const ANSWER_LIMIT_MS = 10_000;

/** The API for a desk. Its link is the only right that it has, so no session is used. */
export function deskClient(token: string) {
  const send = async (request: Request) => {
    request.headers.set('Authorization', `Bearer ${token}`);
    const response = await globalThis.fetch(request);
    if (await isForeignRefusal(response)) {
      throw ApiError.unreachable();
    }
    return response;
  };
  return createClient<paths>({ baseUrl: apiUrl, fetch: within(ANSWER_LIMIT_MS, send) });
}

export type DeskClient = ReturnType<typeof deskClient>;

/** Whether the request did not reach Plenum, whose refusals have a code: the sign-in page of a Wi-Fi refuses everything. */
async function isForeignRefusal(response: Response): Promise<boolean> {
  if (response.status !== 401 && response.status !== 403) {
    return false;
  }
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof body !== 'object' || body === null || !('code' in body);
}

/** The link is revoked or its meeting is over; the server does not know it; it is for something else. */
const ENDINGS = ['desk_ended', 'invalid_token', 'wrong_desk'];

/** Whether the link of the desk will not work again. */
export function hasDeskEnded(error: unknown): error is ApiError {
  return error instanceof ApiError && ENDINGS.includes(error.code);
}

/** The calls of a check-in desk. */
export function deskApi(token: string) {
  const client = deskClient(token);
  return {
    meeting: (signal: AbortSignal) => unwrap(client.GET('/desk', { signal })),
    people: (after: string | null, signal: AbortSignal) =>
      unwrap(client.GET('/desk/people', { params: { query: after === null ? {} : { after } }, signal })),
    entriesAfter: (after: number, signal: AbortSignal) =>
      unwrap(client.GET('/desk/entries', { params: { query: { after } }, signal })),
    send: (body: { entries: SentEntry[]; contactAt: string | null }, signal: AbortSignal) =>
      unwrap(client.POST('/desk/entries', { body, signal })),
  };
}

export type DeskApi = ReturnType<typeof deskApi>;
