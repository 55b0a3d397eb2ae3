import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exclusively } from './exclusively';

type Task = () => Promise<unknown>;

/** The browser's locks, as far as they are used. */
function fakeLocks() {
  let last: Promise<unknown> = Promise.resolve();
  const request = (_name: string, { signal }: { signal: AbortSignal }, task: Task) => {
    const turn = new Promise<void>((resolve, reject) => {
      void last.then(() => resolve());
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    const result = turn.then(task);
    last = result.catch(() => undefined);
    return result;
  };
  vi.stubGlobal('navigator', { ...navigator, locks: { request } });
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('runs the task at once where the browser has no locks', async () => {
  vi.stubGlobal('navigator', { ...navigator, locks: undefined });
  expect(await exclusively('renewal', 1_000, async () => 'done')).toBe('done');
});

describe('with locks', () => {
  beforeEach(() => {
    fakeLocks();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });

  it('runs one task after another, however long the first one takes', async () => {
    const order: string[] = [];
    let release = () => {};
    const first = exclusively('renewal', 1_000, async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      order.push('first');
    });
    await vi.advanceTimersByTimeAsync(2_000);
    const second = exclusively('renewal', 1_000, async () => void order.push('second'));
    await vi.advanceTimersByTimeAsync(500);
    expect(order).toEqual([]);
    release();
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
  });

  it('runs a task without the lock if another tab never gives it back', async () => {
    void exclusively('renewal', 1_000, () => new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(2_000);
    const task = vi.fn(async () => 'done');
    const result = exclusively('renewal', 1_000, task);
    await vi.advanceTimersByTimeAsync(999);
    expect(task).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toBe('done');
    expect(task).toHaveBeenCalledTimes(1);
  });

  it('passes on that the task failed, and does not run it again', async () => {
    const task = vi.fn(async () => {
      throw new Error('refused');
    });
    await expect(exclusively('renewal', 1_000, task)).rejects.toThrow('refused');
    expect(task).toHaveBeenCalledTimes(1);
  });
});
