import { apiUrl } from '../../api/base-path';
import { publicApi, unwrap } from '../../api/client';
import { shaped } from '../shape';
import type { LiveSource } from './live-connection';
import { type PresentationEvent, type PresentationState, presentationEventShape } from './live-events';
import { applyPresentationEvent } from './live-state';
import { type Live, useLiveConnection } from './use-live-connection';

const POLL_EVERY_MS = 3_000;

function presentationSource(meetingId: string): LiveSource<PresentationState, PresentationEvent> {
  return {
    streamUrl: async () => `${apiUrl}/public/meetings/${encodeURIComponent(meetingId)}/presentation/stream`,
    fetchState: (signal) =>
      unwrap(
        publicApi.GET('/public/meetings/{meetingId}/presentation', {
          params: { path: { meetingId } },
          signal,
        }),
      ),
    parse: (frame) => shaped(presentationEventShape, frame),
    apply: applyPresentationEvent,
    renewToken: async () => undefined,
    pollEveryMs: POLL_EVERY_MS,
    // The presentation must be current even if its window is hidden.
    pausesWhenHidden: false,
  };
}

/** The state of the presentation, for anyone. */
export function usePresentationStream(meetingId: string): Live<PresentationState> {
  return useLiveConnection(meetingId, presentationSource, {});
}
