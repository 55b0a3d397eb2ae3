import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../../api/api-error';
import { type SignInPlace, type SignInWait, signInPatiently } from './patient-sign-in';

const busy = () => new ApiError(503, { code: 'sign_in_busy', error: 'Many people are signing in.' }, 15);
const tooMany = () => new ApiError(429, { code: 'too_many_tries', error: 'Too many failed sign-ins.' }, 5);
const wrong = () => new ApiError(401, { code: 'invalid_credentials', error: 'wrong' });

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A sign-in with answers and queue places from the test. */
function setUp() {
  const waits: (SignInWait | null)[] = [];
  const tickets: string[] = [];
  const attempts: { succeed: (value: string) => void; fail: (error: unknown) => void }[] = [];
  const place = vi.fn(async (): Promise<SignInPlace> => ({ waiting: 300, seconds: 12, isYours: true }));
  const leave = new AbortController();
  const ports = {
    send: (ticket: string, signal: AbortSignal) => {
      tickets.push(ticket);
      return new Promise<string>((succeed, fail) => {
        signal.addEventListener('abort', () => fail(signal.reason));
        attempts.push({ succeed, fail });
      });
    },
    place,
    onWait: (wait: SignInWait | null) => waits.push(wait),
  };
  const outcome = signInPatiently(ports, leave.signal).catch((error: unknown) => error);
  const secondsToGo = () => {
    const wait = waits.at(-1);
    return wait && 'until' in wait ? (wait.until - performance.now()) / 1_000 : null;
  };
  return { waits, tickets, attempts, place, outcome, leave, secondsToGo };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('says nothing of a sign-in that is quick', async () => {
  const { waits, attempts, outcome, place } = setUp();
  await pass(900);
  attempts[0]?.succeed('in');
  expect(await outcome).toBe('in');
  await pass(60_000);
  expect(waits).toEqual([null]);
  expect(place).not.toHaveBeenCalled();
});

it('says after a second how long it takes, asks again later, and ends with the answer', async () => {
  const { waits, attempts, outcome, place, secondsToGo } = setUp();
  await pass(1_000);
  expect(waits.at(-1)).toMatchObject({ reason: 'queue' });
  expect(secondsToGo()).toBe(12);
  place.mockResolvedValue({ waiting: 150, seconds: 6, isYours: true });
  await pass(4_000);
  expect(secondsToGo()).toBe(6);
  attempts[0]?.succeed('in');
  expect(await outcome).toBe('in');
  expect(waits.at(-1)).toBeNull();
  await pass(60_000);
  expect(place).toHaveBeenCalledTimes(2);
});

it('does not wait for its place once the answer is there', async () => {
  const { waits, attempts, outcome, place } = setUp();
  place.mockReturnValue(new Promise(() => {}));
  await pass(1_000);
  expect(place).toHaveBeenCalledTimes(1);
  attempts[0]?.succeed('in');
  await pass(0);
  expect(waits).toEqual([null]);
  expect(await outcome).toBe('in');
});

it('takes the place of a newcomer for its own only as long as it knows no better', async () => {
  const { place, waits, secondsToGo, leave, outcome } = setUp();
  place.mockResolvedValue({ waiting: 300, seconds: 12, isYours: false });
  await pass(1_000);
  expect(secondsToGo()).toBe(12);
  // The answer came from another instance.
  place.mockResolvedValue({ waiting: 900, seconds: 60, isYours: false });
  await pass(4_000);
  expect(secondsToGo()).toBe(8);
  expect(waits).toHaveLength(1);
  leave.abort();
  await pass(0);
  void outcome;
});

it('does not speak of a queue where there is none', async () => {
  const { place, waits } = setUp();
  place.mockResolvedValue({ waiting: 0, seconds: 1, isYours: false });
  await pass(1_000);
  expect(waits).toEqual([{ reason: 'slow' }]);
});

it('comes back by itself when the server said so, with the same ticket', async () => {
  const { tickets, attempts, waits, secondsToGo, outcome } = setUp();
  attempts[0]?.fail(busy());
  await pass(0);
  expect(waits.at(-1)).toMatchObject({ reason: 'full' });
  expect(secondsToGo()).toBe(15);
  await pass(14_999);
  expect(attempts).toHaveLength(1);
  await pass(1);
  attempts[1]?.succeed('in');
  expect(await outcome).toBe('in');
  expect(new Set(tickets).size).toBe(1);
  expect(tickets[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

it('repeats what was lost while it waited, with longer and longer pauses', async () => {
  const { attempts, waits, secondsToGo, outcome } = setUp();
  await pass(2_000);
  attempts[0]?.fail(ApiError.unreachable());
  await pass(0);
  expect(waits.at(-1)).toMatchObject({ reason: 'lost' });
  expect(secondsToGo()).toBe(1);
  await pass(1_000);
  attempts[1]?.fail(new ApiError(504, {}));
  await pass(0);
  expect(secondsToGo()).toBe(2);
  await pass(2_000);
  attempts[2]?.fail(wrong());
  expect(await outcome).toMatchObject({ code: 'invalid_credentials' });
  expect(waits.at(-1)).toBeNull();
});

it('does not repeat what fails at once, nor what was decided', async () => {
  const atOnce = setUp();
  atOnce.attempts[0]?.fail(ApiError.unreachable());
  expect(await atOnce.outcome).toMatchObject({ code: 'unreachable' });

  const decided = setUp();
  await pass(5_000);
  decided.attempts[0]?.fail(wrong());
  expect(await decided.outcome).toMatchObject({ code: 'invalid_credentials' });
  expect(decided.attempts).toHaveLength(1);
});

it('comes back by itself when too many have failed while it waited', async () => {
  const { tickets, attempts, waits, secondsToGo, outcome } = setUp();
  await pass(2_000);
  attempts[0]?.fail(tooMany());
  await pass(0);
  expect(waits.at(-1)).toMatchObject({ reason: 'limit' });
  expect(secondsToGo()).toBe(5);
  await pass(5_000);
  attempts[1]?.succeed('in');
  expect(await outcome).toBe('in');
  expect(new Set(tickets).size).toBe(1);
});

it('reports too many failures at once', async () => {
  const { attempts, outcome } = setUp();
  attempts[0]?.fail(tooMany());
  expect(await outcome).toMatchObject({ code: 'too_many_tries' });
  await pass(60_000);
  expect(attempts).toHaveLength(1);
});

it('reports too many failures without a place in the queue, however slow the connection is', async () => {
  const { attempts, place, outcome } = setUp();
  place.mockResolvedValue({ waiting: 0, seconds: 0, isYours: false });
  await pass(1_500);
  attempts[0]?.fail(tooMany());
  expect(await outcome).toMatchObject({ code: 'too_many_tries' });
  await pass(60_000);
  expect(attempts).toHaveLength(1);
});

it('does not give up while the server says that it waits', async () => {
  const { attempts, outcome } = setUp();
  await pass(3_600_000);
  expect(attempts).toHaveLength(1);
  attempts[0]?.succeed('in');
  expect(await outcome).toBe('in');
});

it('repeats a try of which nothing is heard any more, with the same ticket', async () => {
  const { tickets, attempts, place, waits, outcome } = setUp();
  await pass(1_000);
  place.mockRejectedValue(ApiError.unreachable());
  // The server stated twelve seconds.
  await pass(131_999);
  expect(attempts).toHaveLength(1);
  await pass(1);
  expect(waits.at(-1)).toMatchObject({ reason: 'lost' });
  await pass(1_000);
  attempts[1]?.succeed('in');
  expect(await outcome).toBe('in');
  expect(new Set(tickets).size).toBe(1);
});

it('stops when the page is left', async () => {
  const { attempts, outcome, leave } = setUp();
  attempts[0]?.fail(busy());
  await pass(0);
  leave.abort();
  expect(await outcome).toBeInstanceOf(Error);
  await pass(60_000);
  expect(attempts).toHaveLength(1);
});
