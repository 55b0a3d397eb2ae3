import { afterEach, expect, it, vi } from 'vitest';
import { hearServerTime, serverNow } from './server-clock';

afterEach(() => {
  vi.useRealTimers();
  hearServerTime(new Date().toISOString());
});

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
