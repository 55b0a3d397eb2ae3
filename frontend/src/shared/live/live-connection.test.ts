import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../api/api-error';
import { FakeEventSource, installFakeEventSource } from '../../test/fake-event-source';
import { liveQuestion, liveState } from '../../test/live-samples';
import { LiveConnection, type LiveSnapshot } from './live-connection';
import { type LiveEvent, type LiveState, liveEventSchema } from './live-events';
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
  vi.useRealTimers();
});

function connect(fetchState: (signal: AbortSignal) => Promise<LiveState> = async () => liveState()) {
  let opened = 0;
  const renewToken = vi.fn(async () => 'renewed');
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
      parse: (frame) => liveEventSchema.safeParse(frame).data ?? null,
      apply: applyLiveEvent,
      renewToken,
      pollEveryMs: 5_000,
    },
    { onSnapshot: (snapshot) => seen.push(snapshot), onChange, onServerError },
  );
  started.push(connection);
  connection.start();
  return { connection, seen, now: () => seen.at(-1), renewToken, onChange, onServerError, fetched };
}

/** Lets promises that wait for nothing settle. */
const settle = () => vi.advanceTimersByTimeAsync(0);
/** Longer than the reconnect delay with all its jitter, shorter than two of them. */
const reconnect = () => vi.advanceTimersByTimeAsync(5_100);

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
    // A restarted server counts from where it likes.
    FakeEventSource.latest.send('connected', liveState({ version: 2 }), 2);
    expect(now()).toMatchObject({ status: 'live', state: { version: 2 } });
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

  it('gives up a stream that says nothing for too long, as with a cut cable', async () => {
    connect();
    await settle();
    FakeEventSource.latest.send('connected', liveState(), 10);
    const first = FakeEventSource.latest;
    await vi.advanceTimersByTimeAsync(30_000);
    first.send('heartbeat', { version: 10 }, 10);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(first.isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(15_100);
    expect(first.isClosed).toBe(true);
    expect(FakeEventSource.all.length).toBeGreaterThan(1);
  });

  it('gives up a stream that a proxy holds back', async () => {
    connect();
    await settle();
    const first = FakeEventSource.latest;
    await vi.advanceTimersByTimeAsync(10_100);
    expect(first.isClosed).toBe(true);
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

  it('stops for good when the meeting is gone', async () => {
    const { now } = connect();
    await settle();
    FakeEventSource.latest.send('connected', liveState(), 10);
    FakeEventSource.latest.send('error', { message: 'The meeting is gone', code: 'meeting_gone' }, 10);
    expect(now()?.refusal?.status).toBe(404);
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
