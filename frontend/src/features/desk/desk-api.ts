import createClient from 'openapi-fetch';
import { apiUrl } from '../../api/base-path';
import { unwrap } from '../../api/client';
import type { components, paths } from '../../api/schema';

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

/** The API for a desk. Its link is the only right that it has, so no session is used. */
export function deskClient(token: string) {
  return createClient<paths>({
    baseUrl: apiUrl,
    fetch: (request) => {
      request.headers.set('Authorization', `Bearer ${token}`);
      return globalThis.fetch(request);
    },
  });
}

export type DeskClient = ReturnType<typeof deskClient>;

/** The calls of a check-in desk. */
export function deskApi(token: string) {
  const client = deskClient(token);
  return {
    meeting: () => unwrap(client.GET('/desk')),
    people: (after: string | null) =>
      unwrap(client.GET('/desk/people', { params: { query: after === null ? {} : { after } } })),
    entriesAfter: (after: number) => unwrap(client.GET('/desk/entries', { params: { query: { after } } })),
    send: (entries: SentEntry[], contactAt: string | null) =>
      unwrap(client.POST('/desk/entries', { body: { entries, contactAt } })),
  };
}

export type DeskApi = ReturnType<typeof deskApi>;
