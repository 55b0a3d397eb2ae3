import { apiUrl } from '../../api/base-path';
import { api, unwrap } from '../../api/client';
import { session } from '../../api/session';
import type { LiveSource } from './live-connection';
import { type LiveEvent, type LiveState, liveEventSchema } from './live-events';
import { applyLiveEvent } from './live-state';
import { type Live, type LiveCallbacks, useLiveConnection } from './use-live-connection';

const POLL_EVERY_MS = 5_000;

function meetingSource(meetingId: string): LiveSource<LiveState, LiveEvent> {
  return {
    streamUrl: async () => {
      // An EventSource sends no headers, so the token travels in the query.
      const token = encodeURIComponent(await session.accessToken());
      return `${apiUrl}/sse/meetings/${encodeURIComponent(meetingId)}/stream?token=${token}`;
    },
    fetchState: (signal) =>
      unwrap(api.GET('/sse/meetings/{meetingId}/state', { params: { path: { meetingId } }, signal })),
    parse: (frame) => liveEventSchema.safeParse(frame).data ?? null,
    apply: applyLiveEvent,
    renewToken: () => session.renewedToken(),
    pollEveryMs: POLL_EVERY_MS,
  };
}

/** The live state of a meeting for a signed-in organizer or voter. */
export function useLiveMeeting(meetingId: string, callbacks: LiveCallbacks<LiveState> = {}): Live<LiveState> {
  return useLiveConnection(meetingId, meetingSource, callbacks);
}
