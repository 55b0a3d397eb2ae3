import { describe, expect, it } from 'vitest';
import { liveQuestion, liveState, presentationState } from '../../test/live-samples';
import { liveEventSchema, presentationEventSchema } from './live-events';
import { applyLiveEvent, applyPresentationEvent } from './live-state';

describe('the live state of a signed-in person', () => {
  it('begins with the whole that comes on connecting', () => {
    const whole = liveState();
    expect(applyLiveEvent(null, { type: 'connected', data: whole }, 10)).toEqual({
      state: whole,
      isGap: false,
    });
  });

  it.each(['connected', 'meeting_update'] as const)(
    'is replaced as a whole by %s, whatever the version',
    (type) => {
      const known = liveState({ version: 99, participantCount: 7 });
      const whole = liveState({ version: 3 });
      expect(applyLiveEvent(known, { type, data: whole }, 3)).toEqual({ state: whole, isGap: false });
    },
  );

  it('takes a new question with its counts', () => {
    const question = liveQuestion();
    const { state, isGap } = applyLiveEvent(
      liveState(),
      { type: 'question_activated', data: { ...question, voteCount: 2, registerSize: 40 } },
      11,
    );
    expect(isGap).toBe(false);
    expect(state).toEqual(
      liveState({ version: 11, currentQuestion: question, voteCount: 2, registerSize: 40 }),
    );
  });

  it('drops the question that was closed, and its votes with it', () => {
    const known = liveState({ currentQuestion: liveQuestion(), voteCount: 5, registerSize: 9 });
    const { state } = applyLiveEvent(known, { type: 'question_deactivated', data: { id: 'q1' } }, 11);
    expect(state?.currentQuestion).toBeNull();
    expect(state?.voteCount).toBe(0);
  });

  it('keeps a question when another one was closed', () => {
    const known = liveState({ currentQuestion: liveQuestion({ id: 'q2' }) });
    const { state } = applyLiveEvent(known, { type: 'question_deactivated', data: { id: 'q1' } }, 11);
    expect(state?.currentQuestion?.id).toBe('q2');
    expect(state?.version).toBe(11);
  });

  it('counts votes and participants and follows the status', () => {
    let state = liveState();
    for (const [event, version] of [
      [{ type: 'vote_count', data: { voteCount: 3, registerSize: 8 } }, 11],
      [{ type: 'participant_count', data: { participantCount: 6 } }, 12],
      [{ type: 'meeting_status', data: { status: 'COMPLETED' } }, 13],
    ] as const) {
      const applied = applyLiveEvent(state, event, version);
      expect(applied.isGap).toBe(false);
      state = applied.state ?? state;
    }
    expect(state).toEqual(
      liveState({ version: 13, voteCount: 3, registerSize: 8, participantCount: 6, status: 'COMPLETED' }),
    );
  });

  it('sees a gap, and changes nothing before the whole was fetched', () => {
    const known = liveState();
    expect(applyLiveEvent(known, { type: 'participant_count', data: { participantCount: 6 } }, 12)).toEqual({
      state: known,
      isGap: true,
    });
  });

  it('ignores what it knows already', () => {
    const known = liveState({ participantCount: 9 });
    expect(applyLiveEvent(known, { type: 'participant_count', data: { participantCount: 6 } }, 10)).toEqual({
      state: known,
      isGap: false,
    });
  });

  it('learns from a heartbeat that something was missed', () => {
    const known = liveState();
    expect(applyLiveEvent(known, { type: 'heartbeat', data: { version: 10 } }, 10).isGap).toBe(false);
    expect(applyLiveEvent(known, { type: 'heartbeat', data: { version: 11 } }, 11).isGap).toBe(true);
  });

  it('cannot apply a change to nothing', () => {
    expect(
      applyLiveEvent(null, { type: 'vote_count', data: { voteCount: 1, registerSize: 2 } }, 1).isGap,
    ).toBe(true);
  });

  it('treats a frame without a number as a gap', () => {
    const change = { type: 'vote_count', data: { voteCount: 1, registerSize: 2 } } as const;
    expect(applyLiveEvent(liveState(), change, Number.NaN).isGap).toBe(true);
  });
});

describe('the state of the big screen', () => {
  it.each([
    'connected',
    'meeting_update',
    'question_activated',
    'question_deactivated',
    'meeting_status',
  ] as const)('is replaced as a whole by %s', (type) => {
    const whole = presentationState({ version: 12 });
    expect(applyPresentationEvent(presentationState(), { type, data: whole }, 12).state).toEqual(whole);
  });

  it('counts votes in an unbroken row, and sees a gap', () => {
    const votes = { type: 'vote_count', data: { voteCount: 3, registerSize: 8 } } as const;
    expect(applyPresentationEvent(presentationState(), votes, 11).state?.voteCount).toBe(3);
    expect(applyPresentationEvent(presentationState(), votes, 13)).toEqual({
      state: presentationState(),
      isGap: true,
    });
  });
});

describe('frames', () => {
  it('are checked at the door', () => {
    expect(liveEventSchema.safeParse({ type: 'connected', data: liveState() }).success).toBe(true);
    expect(liveEventSchema.safeParse({ type: 'connected', data: { version: 1 } }).success).toBe(false);
    expect(liveEventSchema.safeParse({ type: 'from_the_future', data: {} }).success).toBe(false);
    expect(
      presentationEventSchema.safeParse({ type: 'question_activated', data: presentationState() }).success,
    ).toBe(true);
    expect(
      presentationEventSchema.safeParse({ type: 'question_activated', data: { id: 'q1' } }).success,
    ).toBe(false);
  });
});
