import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reloadAfterAttempt, reloadAfterSuccess } from './reload';

const never = () => new Promise<void>(() => {});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether it has ended, without waiting. */
async function hasEnded(promise: Promise<void> | undefined): Promise<boolean> {
  let isOver = false;
  void Promise.resolve(promise).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return isOver;
}

test('a success waits until what it changed is loaded again', async () => {
  let resolve = () => {};
  const loaded = new Promise<void>((end) => {
    resolve = end;
  });
  const saved = [reloadAfterSuccess(() => loaded)(), reloadAfterAttempt(() => loaded)({}, null)];
  expect(await Promise.all(saved.map(hasEnded))).toEqual([false, false]);
  resolve();
  expect(await Promise.all(saved.map(hasEnded))).toEqual([true, true]);
});

test('a success does not wait for a network that is gone', async () => {
  const saved = [reloadAfterSuccess(never)(), reloadAfterAttempt(never)({}, null)];
  await vi.advanceTimersByTimeAsync(2_999);
  expect(await Promise.all(saved.map(hasEnded))).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await Promise.all(saved.map(hasEnded))).toEqual([true, true]);
});

test('a reload that fails does not make the change fail', async () => {
  const saved = reloadAfterSuccess(() => Promise.reject(new Error('lost')))();
  expect(await hasEnded(saved)).toBe(true);
});

test('a failure reloads too, and can be repeated at once', async () => {
  const reload = vi.fn(never);
  expect(await hasEnded(reloadAfterAttempt(reload)(undefined, new Error('refused')))).toBe(true);
  expect(reload).toHaveBeenCalledOnce();
});
