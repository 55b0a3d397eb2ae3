import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { copyTimes } from './copy-times';

beforeEach(() => void vi.stubEnv('TZ', 'Europe/Berlin'));
afterEach(() => void vi.unstubAllEnvs());

/** From 18 to 20 o'clock in Berlin. */
const inSummer = { scheduledStartTime: '2026-10-21T16:00:00Z', scheduledEndTime: '2026-10-21T18:00:00Z' };
const inWinter = { scheduledStartTime: '2027-03-24T17:00:00Z', scheduledEndTime: '2027-03-24T19:00:00Z' };

it.each([
  ['put back', inSummer, '2026-10-28'],
  ['put forward', inWinter, '2027-03-31'],
])('keeps the time of day where the clocks are %s before the copy', (_, meeting, day) => {
  expect(copyTimes(meeting, Date.parse(meeting.scheduledStartTime))).toEqual({
    scheduledStartTime: `${day}T18:00`,
    scheduledEndTime: `${day}T20:00`,
  });
});

it('is in the first week in which that time is not over', () => {
  const at = (now: string) => copyTimes(inWinter, Date.parse(now)).scheduledStartTime;
  expect(at('2027-04-07T15:30:00Z')).toBe('2027-04-07T18:00');
  expect(at('2027-04-07T16:30:00Z')).toBe('2027-04-14T18:00');
});
