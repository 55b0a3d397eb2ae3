import { unwrap } from '../../../api/client';
import type { components } from '../../../api/schema';
import type { DeskClient } from '../desk-api';

type Schemas = components['schemas'];

export type PlaceApi = ReturnType<typeof placeApi>;

/** Without it, a refusal is plain text without a code. */
const JSON_ONLY = { Accept: 'application/json' };

/** The calls of a voting place. A repeat with the same id and content is the same ballot, and the same vote. */
export function placeApi(client: DeskClient) {
  return {
    issue: (body: Schemas['IssueBallotBody'], signal: AbortSignal) =>
      unwrap(client.POST('/desk/ballots', { headers: JSON_ONLY, body, signal })),
    cast: (body: Schemas['CastAtPlaceBody'], signal: AbortSignal) =>
      unwrap(client.POST('/desk/votes', { headers: JSON_ONLY, body, signal })),
  };
}
