import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPart } from '../../test/render-part';
import { http, server } from '../../test/server';
import { hearServerTime } from '../live/server-clock';
import { PresentationCheckIn } from './presentation-check-in';

const PERIOD_MS = 30_000;
const HOUR_MS = 3_600_000;

afterEach(() => {
  vi.useRealTimers();
  hearTwice(new Date().toISOString());
});

/** Two messages in succession count in any case, also after those of an earlier test. */
function hearTwice(serverTime: string) {
  hearServerTime(serverTime);
  hearServerTime(serverTime);
}

/** A server whose code changes every thirty seconds, and whose clock differs from that of the device. */
function serve(aheadMs: number) {
  let requests = 0;
  server.use(
    http.get('/public/meetings/{meetingId}/check-in-code', ({ response }) => {
      requests += 1;
      const period = Math.floor((Date.now() + aheadMs) / PERIOD_MS);
      const until = new Date((period + 1) * PERIOD_MS).toISOString();
      return response(200).json({ code: String(100_000 + (period % 100_000)), until });
    }),
  );
  return { requests: () => requests, now: () => new Date(Date.now() + aheadMs).toISOString() };
}

it.each([
  ['right', 0],
  ['an hour slow', HOUR_MS],
  ['an hour fast', -HOUR_MS],
])('shows each new code as soon as it is valid, on a device whose clock is %s', async (_, aheadMs) => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T18:00:10Z') });
  const clock = serve(aheadMs);
  hearTwice(clock.now());
  renderPart(<PresentationCheckIn meetingId="m1" />);
  await vi.waitFor(() => expect(screen.getByText(/^\d{3} \d{3}$/)).toBeVisible());
  const first = screen.getByText(/^\d{3} \d{3}$/).textContent;
  await vi.advanceTimersByTimeAsync(21_000);
  await vi.waitFor(() => expect(screen.getByText(/^\d{3} \d{3}$/)).not.toHaveTextContent(first ?? ''));
  expect(clock.requests()).toBe(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(clock.requests()).toBe(4);
});

it('asks for the code every thirty seconds while the time of the server is not known', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T18:00:10Z') });
  const clock = serve(HOUR_MS);
  renderPart(<PresentationCheckIn meetingId="m1" />);
  await vi.waitFor(() => expect(screen.getByText(/^\d{3} \d{3}$/)).toBeVisible());
  await vi.advanceTimersByTimeAsync(30_500);
  expect(clock.requests()).toBe(2);
});
