import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../../api/api-error';
import { untilDecided } from './until-decided';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function start(answer: (attempt: number) => Promise<string>, isDecided?: (error: unknown) => boolean) {
  let attempts = 0;
  const onDelayed = vi.fn();
  const ending = new AbortController();
  const done = untilDecided(
    () => {
      attempts += 1;
      return answer(attempts);
    },
    { signal: ending.signal, onDelayed, ...(isDecided ? { isDecided } : {}) },
  );
  return { done, onDelayed, ending, attempts: () => attempts };
}

it('repeats a request without a response, and while the server is busy', async () => {
  const { done, onDelayed } = start((attempt) =>
    attempt < 3
      ? Promise.reject(attempt === 1 ? ApiError.unreachable() : new ApiError(503, {}))
      : Promise.resolve('stored'),
  );
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await done).toBe('stored');
  expect(onDelayed).toHaveBeenCalledTimes(2);
});

it('ends with a refusal', async () => {
  const { done } = start(() => Promise.reject(new ApiError(409, { code: 'already_voted' })));
  await expect(done).rejects.toMatchObject({ code: 'already_voted' });
});

it('repeats a request after a refusal that the caller does not take for one', async () => {
  const { done, attempts } = start(
    (attempt) => Promise.reject(new ApiError(404, attempt < 3 ? {} : { code: 'ended' })),
    (error) => error instanceof ApiError && error.code === 'ended',
  );
  const ended = expect(done).rejects.toMatchObject({ code: 'ended' });
  await vi.advanceTimersByTimeAsync(20_000);
  await ended;
  expect(attempts()).toBe(3);
});

it('tries at once when the network is back, unless the server asked for a pause', async () => {
  const soon = start((attempt) =>
    attempt === 1 ? Promise.reject(ApiError.unreachable()) : Promise.resolve('stored'),
  );
  const later = start((attempt) =>
    attempt === 1 ? Promise.reject(new ApiError(429, {}, 30)) : Promise.resolve('stored'),
  );
  await vi.advanceTimersByTimeAsync(0);
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(soon.attempts()).toBe(2);
  expect(later.attempts()).toBe(1);
  await vi.advanceTimersByTimeAsync(45_000);
  expect(await later.done).toBe('stored');
});

it('sends nothing more after its end', async () => {
  const { done, ending, attempts } = start(() => Promise.reject(ApiError.unreachable()));
  done.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  ending.abort();
  await vi.advanceTimersByTimeAsync(20_000);
  await expect(done).rejects.toMatchObject({ name: 'AbortError' });
  expect(attempts()).toBe(1);
});
