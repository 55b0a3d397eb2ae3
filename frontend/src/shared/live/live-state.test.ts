import { describe, expect, it } from 'vitest';
import { liveQuestion, liveState, presentationState, quorumState } from '../../test/live-samples';
import { type LiveState, liveEventShape, presentationEventShape } from './live-events';
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
      { type: 'question_activated', data: { ...question, voteCount: 2, registerSize: 40, step: 2 } },
      11,
    );
    expect(isGap).toBe(false);
    expect(state).toEqual(
      liveState({ version: 11, currentQuestion: question, voteCount: 2, registerSize: 40, step: 2 }),
    );
  });

  it('keeps a rehearsal through what does not end it, and drops it when a question opens', () => {
    const rehearsal = { id: 'h1', startedAt: '2026-11-21T13:00:00Z' };
    const counted = applyLiveEvent(
      liveState({ rehearsal }),
      { type: 'participant_count', data: { participantCount: 6, quorum: undefined } },
      11,
    ).state;
    expect(counted?.rehearsal).toEqual(rehearsal);
    const { state } = applyLiveEvent(
      counted,
      { type: 'question_activated', data: { ...liveQuestion(), voteCount: 0, registerSize: 40, step: 2 } },
      12,
    );
    expect(state?.rehearsal).toBeNull();
  });

  it('drops the question that was closed, and its votes with it', () => {
    const known = liveState({ currentQuestion: liveQuestion(), voteCount: 5, registerSize: 9 });
    const { state } = applyLiveEvent(
      known,
      { type: 'question_deactivated', data: { id: 'q1', step: 2 } },
      11,
    );
    expect(state?.currentQuestion).toBeNull();
    expect(state?.voteCount).toBe(0);
  });

  it('keeps a question when another one was closed', () => {
    const known = liveState({ currentQuestion: liveQuestion({ id: 'q2' }) });
    const { state } = applyLiveEvent(
      known,
      { type: 'question_deactivated', data: { id: 'q1', step: 2 } },
      11,
    );
    expect(state?.currentQuestion?.id).toBe('q2');
    expect(state?.version).toBe(11);
  });

  it('counts votes and participants and follows the status', () => {
    let state = liveState();
    for (const [event, version] of [
      [{ type: 'vote_count', data: { voteCount: 3, registerSize: 8, quorum: null } }, 11],
      [{ type: 'participant_count', data: { participantCount: 6, quorum: quorumState() } }, 12],
      [{ type: 'meeting_status', data: { status: 'COMPLETED', step: 2 } }, 13],
    ] as const) {
      const applied = applyLiveEvent(state, event, version);
      expect(applied.isGap).toBe(false);
      state = applied.state ?? state;
    }
    expect(state).toEqual(
      liveState({
        version: 13,
        voteCount: 3,
        registerSize: 8,
        participantCount: 6,
        quorum: quorumState(),
        status: 'COMPLETED',
        step: 2,
      }),
    );
  });

  it('takes the people who may vote in a meeting with check-in, and keeps them if a counter has none', () => {
    const read = (data: object, version: number, known: LiveState | null) => {
      const event: unknown = { type: 'participant_count', data };
      return liveEventShape(event) ? applyLiveEvent(known, event, version).state : null;
    };
    const checkIn = { eligible: 41, selfCheckIn: true };
    const known = liveState({ checkIn: { eligible: 40, selfCheckIn: true } });
    const grown = read({ participantCount: 6, checkIn }, 11, known);
    expect(grown).toEqual({ ...known, version: 11, participantCount: 6, checkIn });
    expect(read({ participantCount: 7 }, 12, grown)?.checkIn).toEqual(checkIn);
    expect(read({ participantCount: 7, checkIn: { eligible: 'all' } }, 12, grown)).toBeNull();
  });

  it('goes on in its row past a declared result, which the next whole shows', () => {
    const known = liveState({ currentQuestion: liveQuestion() });
    const declared = { type: 'result_declared', data: { roundId: 'r0', questionId: 'q0' } } as const;
    expect(applyLiveEvent(known, declared, 11)).toEqual({ state: { ...known, version: 11 }, isGap: false });
    expect(applyLiveEvent(known, declared, 12).isGap).toBe(true);
  });

  it('sees a gap, and changes nothing before the whole was fetched', () => {
    const known = liveState();
    expect(
      applyLiveEvent(known, { type: 'participant_count', data: { participantCount: 6, quorum: null } }, 12),
    ).toEqual({
      state: known,
      isGap: true,
    });
  });

  it('ignores what it knows already', () => {
    const known = liveState({ participantCount: 9 });
    expect(
      applyLiveEvent(known, { type: 'participant_count', data: { participantCount: 6, quorum: null } }, 10),
    ).toEqual({
      state: known,
      isGap: false,
    });
  });

  it('learns from a heartbeat that something was missed', () => {
    const known = liveState();
    expect(
      applyLiveEvent(
        known,
        { type: 'heartbeat', data: { version: 10, serverTime: '2026-11-21T13:00:00Z' } },
        10,
      ).isGap,
    ).toBe(false);
    expect(
      applyLiveEvent(
        known,
        { type: 'heartbeat', data: { version: 11, serverTime: '2026-11-21T13:00:00Z' } },
        11,
      ).isGap,
    ).toBe(true);
  });

  it('cannot apply a change to nothing', () => {
    expect(
      applyLiveEvent(null, { type: 'vote_count', data: { voteCount: 1, registerSize: 2, quorum: null } }, 1)
        .isGap,
    ).toBe(true);
  });

  it('treats a frame without a number as a gap', () => {
    const change = { type: 'vote_count', data: { voteCount: 1, registerSize: 2, quorum: null } } as const;
    expect(applyLiveEvent(liveState(), change, Number.NaN).isGap).toBe(true);
  });
});

describe('the state of the presentation', () => {
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
    const votes = { type: 'vote_count', data: { voteCount: 3, registerSize: 8, quorum: null } } as const;
    expect(applyPresentationEvent(presentationState(), votes, 11).state?.voteCount).toBe(3);
    expect(applyPresentationEvent(presentationState(), votes, 13)).toEqual({
      state: presentationState(),
      isGap: true,
    });
  });

  it('keeps the quorum that a counter does not name', () => {
    const known = presentationState({ quorum: quorumState() });
    const event: unknown = JSON.parse('{"type":"vote_count","data":{"voteCount":3,"registerSize":8}}');
    expect(presentationEventShape(event) && applyPresentationEvent(known, event, 11).state).toEqual({
      ...known,
      version: 11,
      voteCount: 3,
      registerSize: 8,
    });
  });

  it('takes the quorum with the counts, and goes on past a declared result', () => {
    const quorum = quorumState({ attending: 91, isMet: true });
    const people = { type: 'participant_count', data: { participantCount: 91, quorum } } as const;
    const counted = applyPresentationEvent(presentationState(), people, 11).state;
    expect(counted?.quorum).toEqual(quorum);
    const declared = { type: 'result_declared', data: { roundId: 'r0', questionId: 'q0' } } as const;
    expect(applyPresentationEvent(counted, declared, 12)).toEqual({
      state: counted && { ...counted, version: 12 },
      isGap: false,
    });
    expect(applyPresentationEvent(null, declared, 1).isGap).toBe(true);
  });
});

describe('frames', () => {
  it('of a declared result name its round and its question, and nothing of it', () => {
    const declared = { type: 'result_declared', data: { roundId: 'r1', questionId: 'q1' } };
    expect(liveEventShape(declared)).toBe(true);
    expect(presentationEventShape(declared)).toBe(true);
    expect(liveEventShape({ type: 'result_declared', data: {} })).toBe(false);
  });

  it('are checked at the door', () => {
    expect(liveEventShape({ type: 'connected', data: liveState() })).toBe(true);
    expect(liveEventShape({ type: 'connected', data: { version: 1 } })).toBe(false);
    expect(liveEventShape({ type: 'from_the_future', data: {} })).toBe(false);
    expect(presentationEventShape({ type: 'question_activated', data: presentationState() })).toBe(true);
    expect(presentationEventShape({ type: 'question_activated', data: { id: 'q1' } })).toBe(false);
  });
});
