import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../api/api-error';
import { FakeEventSource, installFakeEventSource } from '../../test/fake-event-source';
import { liveQuestion, liveState } from '../../test/live-samples';
import { shaped } from '../shape';
import { isReachable, LiveConnection, type LiveSnapshot } from './live-connection';
import { type LiveEvent, type LiveState, liveEventShape } from './live-events';
import { applyLiveEvent } from './live-state';

installFakeEventSource();
beforeEach(() => {
  vi.useFakeTimers();
});
let started: { stop: () => void }[] = [];
afterEach(() => {
  for (const connection of started) {
    connection.stop();
  }
  started = [];
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function connect(
  fetchState: (signal: AbortSignal) => Promise<LiveState> = async () => liveState(),
  { pausesWhenHidden = false } = {},
) {
  let opened = 0;
  const renewToken = vi.fn(async () => 'renewed');
  const onFrame = vi.fn();
  const onChange = vi.fn();
  const onServerError = vi.fn();
  const seen: LiveSnapshot<LiveState>[] = [];
  const fetched = vi.fn(fetchState);
  const connection = new LiveConnection<LiveState, LiveEvent>(
    {
      streamUrl: async () => {
        opened += 1;
        return `/stream?token=${opened}`;
      },
      fetchState: fetched,
      parse: (frame) => shaped(liveEventShape, frame),
      apply: applyLiveEvent,
      renewToken,
      onFrame,
      pollEveryMs: 5_000,
      pausesWhenHidden,
    },
    { onSnapshot: (snapshot) => seen.push(snapshot), onChange, onServerError },
  );
  started.push(connection);
  connection.start();
  return { connection, seen, now: () => seen.at(-1), renewToken, onFrame, onChange, onServerError, fetched };
}

function hide(isHidden: boolean) {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(isHidden ? 'hidden' : 'visible');
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Settles promises that wait for nothing. */
const settle = () => vi.advanceTimersByTimeAsync(0);
/** Longer than the reconnect delay with all its jitter, shorter than two of them. */
const reconnect = () => vi.advanceTimersByTimeAsync(5_100);
/** Picks the middle of the period over which the new streams of a hall are spread. It comes after a second. */
const spreadEvenly = () => vi.spyOn(Math, 'random').mockReturnValue(0.5);

it('counts as heard however the server is heard', () => {
  expect((['live', 'delayed', 'polling'] as const).map(isReachable)).toEqual([true, true, true]);
  expect((['connecting', 'offline'] as const).map(isReachable)).toEqual([false, false]);
});

describe('a live connection', () => {
  it('is live with the first whole state, and applies what follows', async () => {
    const { now, onChange } = connect();
    await settle();
    FakeEventSource.latest.send('connected', liveState(), 10);
    expect(now()).toMatchObject({ status: 'live', state: { version: 10 } });
    FakeEventSource.latest.send('participant_count', { participantCount: 4 }, 11);
    expect(now()?.state?.participantCount).toBe(4);
    expect(onChange).toHaveBeenCalledTimes(2);
    expect(onChange.mock.calls[0]?.[0]).toBeNull();
  });

  it('fetches the whole after a gap, and drops an answer that is older than the events', async () => {
    const { now, fetched } = connect(async () => liveState({ version: 15, participantCount: 15 }));
    await settle();
    FakeEventSource.latest.send('connected', liveState(), 10);
    FakeEventSource.latest.send('participant_count', { participantCount: 12 }, 12);
    await settle();
    expect(fetched).toHaveBeenCalledTimes(1);
    expect(now()?.state?.version).toBe(15);

    fetched.mockResolvedValueOnce(liveState({ version: 11 }));
    FakeEventSource.latest.send('participant_count', { participantCount: 99 }, 99);
    await settle();
    expect(now()?.state?.version).toBe(15);
  });

  it('does not mix the versions of two servers, and begins anew where the stream has a gap', async () => {
    spreadEvenly();
    const { now, connection } = connect(async () => liveState({ instance: 'b', version: 99, voteCount: 7 }));
    await settle();
    FakeEventSource.latest.send('connected', liveState(), 10);
    await connection.refresh();
    expect(now()).toMatchObject({ status: 'live', state: { instance: 'a', version: 10, voteCount: 0 } });
    FakeEventSource.latest.send('participant_count', { participantCount: 4 }, 11);
    expect(now()?.state?.participantCount).toBe(4);
    expect(FakeEventSource.all).toHaveLength(1);

    FakeEventSource.latest.send('participant_count', { participantCount: 6 }, 13);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(FakeEventSource.all).toHaveLength(2);
    FakeEventSource.latest.send(
      'connected',
      liveState({ instance: 'b', version: 5, participantCount: 6 }),
      5,
    );
    expect(now()).toMatchObject({
      status: 'live',
      state: { instance: 'b', version: 5, participantCount: 6 },
    });
  });

  it.each([
    ['has missed events', 'participant_count', { participantCount: 6 }],
    ['does not understand a frame', 'result_declared', {}],
  ])('begins anew in a moment of its own where it %s', async (_, type, data) => {
    spreadEvenly();
    const { now, fetched } = connect(async () => liveState({ instance: 'b', version: 99 }));
    await settle();
    const first = FakeEventSource.latest;
    first.send('connected', liveState(), 10);
    first.send(type, data, 13);
    await vi.advanceTimersByTimeAsync(600);
    // Events missed meanwhile do not postpone it.
    first.send(type, data, 14);
    await vi.advanceTimersByTimeAsync(399);
    expect(fetched).toHaveBeenCalledTimes(2);
    expect(FakeEventSource.all).toHaveLength(1);
    expect(now()?.status).toBe('live');
    await vi.advanceTimersByTimeAsync(1);
    expect(FakeEventSource.all).toHaveLength(2);
    expect(first.isClosed).toBe(true);
    FakeEventSource.latest.send('connected', liveState({ version: 14 }), 14);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(FakeEventSource.all).toHaveLength(2);
  });

  it('goes on with a stream that fills the gap itself', async () => {
    spreadEvenly();
    const { now } = connect(async () => liveState({ instance: 'b', version: 99 }));
    await settle();
    FakeEventSource.latest.send('connected', liveState(), 10);
    FakeEventSource.latest.send('participant_count', { participantCount: 6 }, 13);
    await vi.advanceTimersByTimeAsync(500);
    FakeEventSource.latest.send('meeting_update', liveState({ version: 14, participantCount: 7 }), 14);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(FakeEventSource.all).toHaveLength(1);
    expect(now()).toMatchObject({ status: 'live', state: { version: 14, participantCount: 7 } });
  });

  it('goes on with a stream whose gap the same server fills', async () => {
    spreadEvenly();
    const { connection, now, fetched } = connect(async () => liveState({ instance: 'b', version: 99 }));
    await settle();
    FakeEventSource.latest.send('connected', liveState(), 10);
    FakeEventSource.latest.send('participant_count', { participantCount: 6 }, 13);
    await vi.advanceTimersByTimeAsync(500);
    fetched.mockResolvedValueOnce(liveState({ version: 13, participantCount: 6 }));
    await connection.refresh();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(FakeEventSource.all).toHaveLength(1);
    expect(now()).toMatchObject({ status: 'live', state: { version: 13, participantCount: 6 } });
  });

  it('shows what another server knows of a later step, and gives up the stream that is behind', async () => {
    spreadEvenly();
    const { now, connection } = connect(async () =>
      liveState({ instance: 'b', version: 3, step: 2, currentQuestion: liveQuestion() }),
    );
    await settle();
    const first = FakeEventSource.latest;
    first.send('connected', liveState(), 10);
    await connection.refresh();
    const later = { instance: 'b', version: 3, step: 2, currentQuestion: { id: 'q1' } };
    expect(now()).toMatchObject({ status: 'live', state: later });
    // Its version numbers have no meaning here.
    first.send('participant_count', { participantCount: 99 }, 4);
    expect(now()).toMatchObject({ state: { version: 3, participantCount: 0 } });
    expect(first.isClosed).toBe(true);

    await vi.advanceTimersByTimeAsync(999);
    expect(FakeEventSource.all).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(FakeEventSource.all).toHaveLength(2);
    FakeEventSource.latest.send('connected', liveState({ version: 12, step: 2 }), 12);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(FakeEventSource.all).toHaveLength(2);
    expect(now()).toMatchObject({ status: 'live', state: { instance: 'a', version: 12, step: 2 } });
  });

  it('comes back once, where the later step of another server is seen while it has a gap', async () => {
    spreadEvenly();
    const { now, fetched } = connect(async () => liveState({ instance: 'b', version: 99 }));
    await settle();
    FakeEventSource.latest.send('connected', liveState(), 10);
    FakeEventSource.latest.send('participant_count', { participantCount: 6 }, 13);
    await vi.advanceTimersByTimeAsync(500);
    fetched.mockResolvedValueOnce(liveState({ instance: 'b', version: 100, step: 2 }));
    FakeEventSource.latest.send('participant_count', { participantCount: 7 }, 14);
    await settle();
    expect(now()).toMatchObject({ state: { instance: 'b', step: 2 } });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(FakeEventSource.all).toHaveLength(2);
    FakeEventSource.latest.send('connected', liveState({ version: 15, step: 2 }), 15);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(FakeEventSource.all).toHaveLength(2);
  });

  it('says that it is updated every few seconds while its server does not hear the others', async () => {
    const { now, fetched } = connect();
    await settle();
    FakeEventSource.latest.send('connected', liveState(), 10);
    FakeEventSource.latest.send('meeting_update', liveState({ version: 11, isDelayed: true }), 11);
    expect(now()).toMatchObject({ status: 'delayed', state: { version: 11 } });
    FakeEventSource.latest.send('participant_count', { participantCount: 4 }, 12);
    expect(now()).toMatchObject({ status: 'delayed', state: { participantCount: 4 } });
    FakeEventSource.latest.send('meeting_update', liveState({ version: 13 }), 13);
    expect(now()?.status).toBe('live');
    expect(fetched).not.toHaveBeenCalled();
  });

  it('fetches the whole when it does not understand a frame', async () => {
    const { fetched } = connect();
    await settle();
    FakeEventSource.latest.send('connected', liveState(), 10);
    FakeEventSource.latest.send('result_declared', {}, 11);
    await settle();
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it('comes back after about three seconds, each time with a token of its own', async () => {
    const { now } = connect();
    await settle();
    FakeEventSource.latest.send('connected', liveState(), 10);
    const first = FakeEventSource.latest;
    first.break();
    expect(first.isClosed).toBe(true);
    expect(now()).toMatchObject({ status: 'connecting', state: { version: 10 } });
    await vi.advanceTimersByTimeAsync(2_900);
    expect(FakeEventSource.all).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_200);
    expect(FakeEventSource.all).toHaveLength(2);
    expect(FakeEventSource.latest.url).not.toBe(first.url);
    // A restarted server may count from any number.
    FakeEventSource.latest.send('connected', liveState({ version: 2 }), 2);
    expect(now()).toMatchObject({ status: 'live', state: { version: 2 } });
  });

  it('comes back when a server that restarts says so, and shows nothing of it meanwhile', async () => {
    const { seen, now } = connect();
    await settle();
    FakeEventSource.latest.send('connected', liveState(), 10);
    const first = FakeEventSource.latest;
    first.send('server_stopping', { retryAfterMs: 700 }, 10);
    expect(first.isClosed).toBe(true);
    await vi.advanceTimersByTimeAsync(699);
    expect(FakeEventSource.all).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(FakeEventSource.all).toHaveLength(2);
    // The server is not back yet.
    FakeEventSource.latest.break();
    await vi.advanceTimersByTimeAsync(1_500);
    expect(FakeEventSource.all).toHaveLength(3);
    FakeEventSource.latest.send('connected', liveState({ version: 2 }), 2);
    expect(now()).toMatchObject({ status: 'live', state: { version: 2 } });
    expect(seen.every((snapshot) => snapshot.status === 'live')).toBe(true);
  });

  it('says that the connection is lost when a server that said that it stops stays away', async () => {
    const { now } = connect(async () => Promise.reject(new Error('nobody')));
    await settle();
    FakeEventSource.latest.send('connected', liveState(), 10);
    FakeEventSource.latest.send('server_stopping', { retryAfterMs: 500 }, 10);
    for (let second = 0; second < 8; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      FakeEventSource.latest.break();
      if (second === 3) {
        expect(now()?.status).toBe('live');
      }
    }
    await settle();
    expect(now()?.status).not.toBe('live');
    expect(now()?.state).not.toBeNull();
  });

  it('asks again and again while the stream cannot be held, and stops asking when it can', async () => {
    const { now, fetched } = connect(async () => liveState({ version: 20 }));
    await settle();
    FakeEventSource.latest.break();
    await vi.advanceTimersByTimeAsync(1_100);
    expect(now()).toMatchObject({ status: 'polling', state: { version: 20 } });
    const asked = fetched.mock.calls.length;
    await vi.advanceTimersByTimeAsync(5_100);
    expect(fetched.mock.calls.length).toBeGreaterThan(asked);

    FakeEventSource.latest.send('connected', liveState({ version: 21 }), 21);
    expect(now()?.status).toBe('live');
    fetched.mockClear();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(fetched).not.toHaveBeenCalled();
  });

  it('says offline when nothing answers, and keeps the last state', async () => {
    const { now } = connect(async () => {
      throw ApiError.unreachable();
    });
    await settle();
    FakeEventSource.latest.send('connected', liveState({ currentQuestion: liveQuestion() }), 10);
    FakeEventSource.latest.break();
    await vi.advanceTimersByTimeAsync(1_100);
    expect(now()).toMatchObject({ status: 'offline', state: { currentQuestion: { id: 'q1' } } });
    await reconnect();
    FakeEventSource.latest.send('connected', liveState({ version: 11 }), 11);
    expect(now()?.status).toBe('live');
  });

  it('reports each frame to its source, and nothing else', async () => {
    const { onFrame, fetched } = connect(async () => liveState());
    await settle();
    const stream = FakeEventSource.latest;
    stream.send('connected', liveState(), 10);
    stream.send('heartbeat', { version: 10 }, 10);
    expect(onFrame).toHaveBeenCalledTimes(2);
    stream.break();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(fetched).toHaveBeenCalled();
    expect(onFrame).toHaveBeenCalledTimes(2);
  });

  it('gives up a stream that says nothing for too long, as with a cut cable', async () => {
    connect();
    await settle();
    FakeEventSource.latest.send('connected', liveState(), 10);
    const first = FakeEventSource.latest;
    await vi.advanceTimersByTimeAsync(20_000);
    first.send('heartbeat', { version: 10 }, 10);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(first.isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(10_100);
    expect(first.isClosed).toBe(true);
    expect(FakeEventSource.all.length).toBeGreaterThan(1);
  });

  it('asks for the state where the stream says nothing, and tries the stream again now and then', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const { now, fetched } = connect(async () => liveState({ version: 20 }));
    await settle();
    const first = FakeEventSource.latest;
    await vi.advanceTimersByTimeAsync(1_600);
    expect(now()).toMatchObject({ status: 'connecting', state: { version: 20 } });
    await vi.advanceTimersByTimeAsync(4_500);
    expect(first.isClosed).toBe(true);
    expect(now()?.status).toBe('polling');

    // A second silent stream in a row, while the server answers, means that a proxy holds it back.
    await vi.advanceTimersByTimeAsync(10_000);
    expect(FakeEventSource.all).toHaveLength(2);
    expect(FakeEventSource.latest.isClosed).toBe(true);
    fetched.mockClear();
    await vi.advanceTimersByTimeAsync(25_000);
    expect(FakeEventSource.all).toHaveLength(2);
    expect(fetched.mock.calls.length).toBeGreaterThanOrEqual(4);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(FakeEventSource.all).toHaveLength(3);
    FakeEventSource.latest.send('connected', liveState({ version: 21 }), 21);
    expect(now()).toMatchObject({ status: 'live', state: { version: 21 } });
  });

  it('tries the stream as soon as the server answers again', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    let isDown = true;
    const { now } = connect(async () => {
      if (isDown) {
        throw ApiError.unreachable();
      }
      return liveState({ version: 20 });
    });
    await settle();
    FakeEventSource.latest.break();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(now()?.status).toBe('offline');
    isDown = false;
    const streams = FakeEventSource.all.length;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(now()?.status).toBe('polling');
    expect(FakeEventSource.all.length).toBe(streams + 1);
  });

  it('comes back at once when the device is online again', async () => {
    const { now } = connect(async () => {
      throw ApiError.unreachable();
    });
    await settle();
    FakeEventSource.latest.send('connected', liveState(), 10);
    window.dispatchEvent(new Event('offline'));
    expect(now()?.status).toBe('offline');
    window.dispatchEvent(new Event('online'));
    await settle();
    expect(FakeEventSource.all).toHaveLength(2);
  });

  it('renews the token after the session ended, and connects anew', async () => {
    const { renewToken, onServerError } = connect();
    await settle();
    FakeEventSource.latest.send('connected', liveState(), 10);
    FakeEventSource.latest.send('error', { message: 'The session has ended', code: 'session_ended' }, 10);
    expect(renewToken).toHaveBeenCalledTimes(1);
    expect(onServerError).not.toHaveBeenCalled();
    await reconnect();
    expect(FakeEventSource.all).toHaveLength(2);
  });

  it('stops for good when this person may no longer watch, with the reason of the server', async () => {
    const { now } = connect();
    await settle();
    FakeEventSource.latest.send('connected', liveState(), 10);
    const message = 'You are not invited to this meeting.';
    FakeEventSource.latest.send('error', { message, code: 'meeting_gone' }, 10);
    expect(now()?.refusal).toMatchObject({ status: 403, message });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeEventSource.all).toHaveLength(1);
  });

  it.each([403, 404])('stops for good when the server refuses with %i', async (status) => {
    const { now } = connect(async () => {
      throw new ApiError(status, { error: 'You are not invited to this meeting', code: 'not_invited' });
    });
    await settle();
    FakeEventSource.latest.break();
    await vi.advanceTimersByTimeAsync(1_100);
    expect(now()?.refusal?.status).toBe(status);
    const streams = FakeEventSource.all.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeEventSource.all).toHaveLength(streams);
  });

  it('passes on what else the server complains of', async () => {
    const { onServerError } = connect();
    await settle();
    FakeEventSource.latest.send('error', { message: 'Something else', code: 'other' }, 10);
    expect(onServerError).toHaveBeenCalledWith('Something else');
  });

  it('rests while the tab is hidden for long, and has the present state when it is back', async () => {
    const { now, fetched } = connect(undefined, { pausesWhenHidden: true });
    await settle();
    FakeEventSource.latest.send('connected', liveState(), 10);
    const first = FakeEventSource.latest;
    hide(true);
    await vi.advanceTimersByTimeAsync(20_000);
    first.send('heartbeat', { version: 10, serverTime: '2026-11-21T13:00:00Z' }, 10);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(first.isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(first.isClosed).toBe(true);
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(FakeEventSource.all).toHaveLength(1);
    expect(fetched).not.toHaveBeenCalled();

    hide(false);
    await settle();
    expect(FakeEventSource.all).toHaveLength(2);
    FakeEventSource.latest.send('connected', liveState({ version: 30 }), 30);
    expect(now()).toMatchObject({ status: 'live', state: { version: 30 } });
  });

  it('goes on through a look at another app, and on a screen that must not rest', async () => {
    for (const pausesWhenHidden of [true, false]) {
      connect(undefined, { pausesWhenHidden });
      await settle();
      const stream = FakeEventSource.latest;
      stream.send('connected', liveState(), 10);
      hide(true);
      await vi.advanceTimersByTimeAsync(20_000);
      stream.send('heartbeat', { version: 10, serverTime: '2026-11-21T13:00:00Z' }, 10);
      if (pausesWhenHidden) {
        hide(false);
      }
      await vi.advanceTimersByTimeAsync(12_000);
      stream.send('heartbeat', { version: 10, serverTime: '2026-11-21T13:00:15Z' }, 10);
      await vi.advanceTimersByTimeAsync(12_000);
      expect(stream.isClosed).toBe(false);
    }
  });

  it('does not take a frame that waited in a frozen tab for a contact, and comes back', async () => {
    const { now, onFrame } = connect();
    await settle();
    const stream = FakeEventSource.latest;
    stream.send('connected', liveState(), 10);
    const heardAt = Date.now();
    const waited = { version: 10, serverTime: new Date(heardAt + 10_000).toISOString() };
    // The clock goes on, and no timer runs.
    vi.setSystemTime(heardAt + 60_000);
    onFrame.mockClear();
    stream.send('heartbeat', waited, 10);
    expect(now()?.lastContactAt).toBe(heardAt);
    expect(onFrame).not.toHaveBeenCalled();
    expect(stream.isClosed).toBe(true);
    await settle();
    expect(FakeEventSource.all).toHaveLength(2);

    FakeEventSource.latest.send('connected', liveState({ version: 12 }), 12);
    expect(now()).toMatchObject({ status: 'live', lastContactAt: heardAt + 60_000, state: { version: 12 } });
    await vi.advanceTimersByTimeAsync(20_000);
    FakeEventSource.latest.send('participant_count', { participantCount: 4 }, 13);
    expect(now()).toMatchObject({ status: 'live', state: { participantCount: 4 } });
    expect(FakeEventSource.all).toHaveLength(2);
  });

  it('is silent after it was stopped', async () => {
    const { connection, seen } = connect();
    await settle();
    const { latest } = FakeEventSource;
    connection.stop();
    const count = seen.length;
    latest.send('connected', liveState(), 10);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen).toHaveLength(count);
    expect(FakeEventSource.all).toHaveLength(1);
  });
});
