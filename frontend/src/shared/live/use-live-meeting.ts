import { apiUrl } from '../../api/base-path';
import { api, unwrap } from '../../api/client';
import { session } from '../../api/session';
import { shaped } from '../shape';
import type { LiveSource } from './live-connection';
import { type LiveEvent, type LiveState, liveEventShape } from './live-events';
import { applyLiveEvent } from './live-state';
import { type Live, type LiveCallbacks, useLiveConnection } from './use-live-connection';

const POLL_EVERY_MS = 5_000;

/** A state as the server sends it whole. */
function wholeState(state: LiveState): LiveState {
  return { ...state, wholeAt: state.version };
}

function meetingSource(meetingId: string, pausesWhenHidden: boolean): LiveSource<LiveState, LiveEvent> {
  return {
    streamUrl: async () => {
      // An EventSource sends no headers, so the token is in the query.
      const token = encodeURIComponent(await session.accessToken());
      return `${apiUrl}/sse/meetings/${encodeURIComponent(meetingId)}/stream?token=${token}`;
    },
    fetchState: async (signal) =>
      wholeState(
        await unwrap(api.GET('/sse/meetings/{meetingId}/state', { params: { path: { meetingId } }, signal })),
      ),
    parse: (frame) => {
      const event = shaped(liveEventShape, frame);
      return event && (event.type === 'connected' || event.type === 'meeting_update')
        ? { ...event, data: wholeState(event.data) }
        : event;
    },
    apply: applyLiveEvent,
    renewToken: () => session.renewedToken(),
    onFrame: () => session.renewEarly(),
    pollEveryMs: POLL_EVERY_MS,
    pausesWhenHidden,
  };
}

const steadySource = (meetingId: string) => meetingSource(meetingId, false);
const pausingSource = (meetingId: string) => meetingSource(meetingId, true);

/**
 * The live state of a meeting for a signed-in organizer or voter. An organizer's screen does not pause: there are few
 * of them, and it is often behind the window that the hall sees.
 */
export function useLiveMeeting(
  meetingId: string,
  callbacks: LiveCallbacks<LiveState> = {},
  { pausesWhenHidden = false }: { pausesWhenHidden?: boolean } = {},
): Live<LiveState> {
  return useLiveConnection(meetingId, pausesWhenHidden ? pausingSource : steadySource, callbacks);
}
