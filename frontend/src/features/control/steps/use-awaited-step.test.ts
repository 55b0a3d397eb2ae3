import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useAwaitedStep } from './use-awaited-step';

const LATE_MS = 3_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function lateResponse() {
  let respond = (_what: string) => {};
  const response = new Promise<string>((resolve) => {
    respond = resolve;
  });
  return { response, respond };
}

it('waits for a response while the meeting has not moved on, and for the given time afterwards', async () => {
  const { result } = renderHook(useAwaitedStep);
  const { response, respond } = lateResponse();
  const awaited = result.current.unlessPassed(response, 7, LATE_MS);
  await vi.advanceTimersByTimeAsync(60_000);
  result.current.follow(7);
  await vi.advanceTimersByTimeAsync(60_000);
  result.current.follow(8);
  await vi.advanceTimersByTimeAsync(2_999);
  respond('made');
  expect(await awaited).toBe('made');
});

it('gives up this long after the first later state', async () => {
  const { result } = renderHook(useAwaitedStep);
  const awaited = expect(
    result.current.unlessPassed(new Promise(() => {}), 7, LATE_MS),
  ).rejects.toMatchObject({
    code: 'unreachable',
  });
  result.current.follow(8);
  await vi.advanceTimersByTimeAsync(2_000);
  result.current.follow(9);
  await vi.advanceTimersByTimeAsync(1_000);
  await awaited;
  expect(result.current.hasPassed(8)).toBe(true);
  expect(result.current.hasPassed(9)).toBe(false);
});

it('watches the next step also when the response to the last one comes late', async () => {
  const { result } = renderHook(useAwaitedStep);
  const { response, respond } = lateResponse();
  const first = expect(result.current.unlessPassed(response, 7, LATE_MS)).rejects.toMatchObject({
    code: 'unreachable',
  });
  result.current.follow(8);
  await vi.advanceTimersByTimeAsync(3_000);
  await first;
  const second = expect(result.current.unlessPassed(new Promise(() => {}), 8, LATE_MS)).rejects.toMatchObject(
    {
      code: 'unreachable',
    },
  );
  respond('late');
  await vi.advanceTimersByTimeAsync(0);
  result.current.follow(9);
  await vi.advanceTimersByTimeAsync(3_000);
  await second;
});
