import type { LiveEvent, LiveState, PresentationEvent, PresentationState } from './live-events';

/** The state after an event. After a gap the state is unchanged, and the snapshot must be fetched. */
export interface Applied<State> {
  state: State | null;
  isGap: boolean;
}

type LiveChange = Exclude<
  LiveEvent,
  { type: 'connected' | 'meeting_update' | 'error' | 'heartbeat' | 'own_check_in' | 'server_stopping' }
>;

/**
 * Changes are applied only in order. An old event (the snapshot was fetched meanwhile) changes nothing. An early event
 * shows that others were missed.
 */
function place(known: number, version: number): 'next' | 'old' | 'gap' {
  if (version <= known) {
    return 'old';
  }
  return version === known + 1 ? 'next' : 'gap';
}

/** The state of a signed-in person's screen after `event`, which the server numbered `version`. */
export function applyLiveEvent(
  state: LiveState | null,
  event: LiveEvent,
  version: number,
): Applied<LiveState> {
  if (event.type === 'connected' || event.type === 'meeting_update') {
    return { state: event.data, isGap: false };
  }
  if (event.type === 'error' || event.type === 'server_stopping') {
    return { state, isGap: false };
  }
  if (state === null) {
    return { state, isGap: true };
  }
  if (event.type === 'heartbeat') {
    return { state, isGap: event.data.version > state.version };
  }
  if (event.type === 'own_check_in') {
    // Told to this voter alone, between two versions.
    return { state: { ...state, ownCheckIn: event.data.checkedIn }, isGap: false };
  }
  const where = place(state.version, version);
  if (where !== 'next') {
    return { state, isGap: where === 'gap' };
  }
  return { state: { ...state, ...liveChange(state, event), version }, isGap: false };
}

function liveChange(state: LiveState, event: LiveChange): Partial<LiveState> {
  switch (event.type) {
    case 'question_activated': {
      const { voteCount, registerSize, step, ...currentQuestion } = event.data;
      // Opening a question ends a rehearsal.
      return { currentQuestion, voteCount, registerSize, step, rehearsal: null };
    }
    case 'question_deactivated':
      return {
        step: event.data.step,
        ...(state.currentQuestion?.id === event.data.id ? { currentQuestion: null, voteCount: 0 } : {}),
      };
    case 'meeting_status':
      return event.data;
    case 'vote_count':
    case 'participant_count':
      return counted(event.data);
    case 'result_declared':
      // The next snapshot contains the effects.
      return {};
  }
}

type Count = Extract<LiveEvent, { type: 'vote_count' | 'participant_count' }>['data'];

/** The change of a counter. It includes the quorum and the check-in only if the event does. */
function counted({
  quorum,
  ...counts
}: Count): Partial<
  Pick<LiveState, 'voteCount' | 'participantCount' | 'registerSize' | 'quorum' | 'checkIn'>
> {
  return quorum === undefined ? counts : { ...counts, quorum };
}

/** The same for the presentation. Its events of question and status contain the whole state. */
export function applyPresentationEvent(
  state: PresentationState | null,
  event: PresentationEvent,
  version: number,
): Applied<PresentationState> {
  switch (event.type) {
    case 'connected':
    case 'meeting_update':
    case 'question_activated':
    case 'question_deactivated':
    case 'meeting_status':
      return { state: event.data, isGap: false };
    case 'error':
    case 'server_stopping':
      return { state, isGap: false };
    case 'heartbeat':
      return { state, isGap: state === null || event.data.version > state.version };
    case 'vote_count':
    case 'participant_count':
    case 'result_declared': {
      if (state === null) {
        return { state, isGap: true };
      }
      const where = place(state.version, version);
      const change = event.type === 'result_declared' ? {} : counted(event.data);
      return where === 'next'
        ? { state: { ...state, ...change, version }, isGap: false }
        : { state, isGap: where === 'gap' };
    }
  }
}
