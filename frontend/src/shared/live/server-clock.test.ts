import { afterEach, beforeEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.useRealTimers();
  vi.resetModules();
});

let hearServerTime: typeof import('./server-clock').hearServerTime;
let serverNow: typeof import('./server-clock').serverNow;
beforeEach(async () => {
  ({ hearServerTime, serverNow } = await import('./server-clock'));
});

/** A message of a server whose clock is ahead of the device's. It arrives late. */
function hear(aheadMs: number, lateMs = 0) {
  hearServerTime(new Date(Date.now() + aheadMs - lateMs).toISOString());
}

const ahead = () => serverNow() - Date.now();

it('goes by the time of the server, however wrong the clock of the device is', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T03:00:00Z') });
  hearServerTime('2026-11-21T18:04:05.000Z');
  vi.advanceTimersByTime(2_000);
  expect(new Date(serverNow()).toISOString()).toBe('2026-11-21T18:04:07.000Z');
});

it('passes over what is no time', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T18:00:00Z') });
  hearServerTime('2026-11-21T18:00:01Z');
  hearServerTime('soon');
  expect(new Date(serverNow()).toISOString()).toBe('2026-11-21T18:00:01.000Z');
});

it.each([5_000, -5_000])('takes the first message as it is, at a difference of %i ms', (aheadMs) => {
  vi.useFakeTimers();
  expect(ahead()).toBe(0);
  hear(aheadMs);
  expect(ahead()).toBe(aheadMs);
});

it('is not put back by messages that waited while the tab was frozen', () => {
  vi.useFakeTimers();
  hear(5_000, 200);
  for (const lateMs of [60_000, 45_000, 30_000, 15_000]) {
    hear(5_000, lateMs);
    expect(ahead()).toBe(4_800);
  }
  hear(5_000, 100);
  expect(ahead()).toBe(4_900);
});

it('keeps the better of two messages that agree', () => {
  vi.useFakeTimers();
  hear(5_000);
  hear(5_000, 900);
  expect(ahead()).toBe(5_000);
});

it('follows a clock that was set, back or forward', () => {
  vi.useFakeTimers();
  hear(5_000);
  hear(65_000);
  expect(ahead()).toBe(65_000);
  hear(5_000, 100);
  hear(5_000, 300);
  expect(ahead()).toBe(4_900);
});
