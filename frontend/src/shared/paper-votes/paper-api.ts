import { api, unwrap } from '../../api/client';
import type { EnterPaperBatchBody, RegisterEntry } from '../../api/types';

/** The most people that a search shows. */
export const FOUND = 8;

type Client = Pick<typeof api, 'GET' | 'POST'>;

export type PaperApi = ReturnType<typeof paperApi>;

export type SearchRegister = (
  roundId: string,
  search: string,
  signal: AbortSignal,
) => Promise<RegisterEntry[]>;

/** Finds people in the register of a round, by name or username. */
export function registerSearch(client: Client, meetingId: string): SearchRegister {
  return async (roundId, search, signal) => {
    const body = await unwrap(
      client.GET('/client/meetings/{meetingId}/rounds/{roundId}/register', {
        params: { path: { meetingId, roundId }, query: { search, pageSize: FOUND } },
        signal,
      }),
    );
    return body.data;
  };
}

/** The calls for votes on paper: of an organizer, or of a desk for tellers. */
export function paperApi(client: Client, meetingId: string) {
  const batchPath = (roundId: string, batchId: string) => ({ meetingId, roundId, batchId });
  return {
    search: registerSearch(client, meetingId),
    batches: (roundId: string, signal: AbortSignal) =>
      unwrap(
        client.GET('/client/meetings/{meetingId}/rounds/{roundId}/paper-batches', {
          params: { path: { meetingId, roundId } },
          signal,
        }),
      ),
    batch: (roundId: string, batchId: string, signal: AbortSignal) =>
      unwrap(
        client.GET('/client/meetings/{meetingId}/rounds/{roundId}/paper-batches/{batchId}', {
          params: { path: batchPath(roundId, batchId) },
          signal,
        }),
      ),
    enter: (roundId: string, body: EnterPaperBatchBody, signal: AbortSignal) =>
      unwrap(
        client.POST('/client/meetings/{meetingId}/rounds/{roundId}/paper-batches', {
          params: { path: { meetingId, roundId } },
          headers: { Accept: 'application/json' },
          body,
          signal,
        }),
      ),
    confirm: (roundId: string, batchId: string) =>
      unwrap(
        client.POST('/client/meetings/{meetingId}/rounds/{roundId}/paper-batches/{batchId}/confirm', {
          params: { path: batchPath(roundId, batchId) },
        }),
      ),
    discard: (roundId: string, batchId: string) =>
      unwrap(
        client.POST('/client/meetings/{meetingId}/rounds/{roundId}/paper-batches/{batchId}/discard', {
          params: { path: batchPath(roundId, batchId) },
        }),
      ),
  };
}

/** The calls of an organizer. */
export const organizerPaperApi = (meetingId: string): PaperApi => paperApi(api, meetingId);
