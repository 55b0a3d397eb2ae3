import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { afterStep, afterVotes, type Hall, useRecheck } from './use-recheck';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A meeting with so many connected phones. */
const hall = (participantCount: number): Hall => ({ participantCount, checkIn: null });

/** A meeting in which presence is a record. The number of connected phones is not known. */
const arriving = (checkedIn: number, eligible: number): Hall => ({
  participantCount: checkedIn,
  checkIn: { eligible, selfCheckIn: false },
});

/** The time of the request of a phone that draws `random`. */
function delayOf(pause: Parameters<ReturnType<typeof useRecheck>>[0], random: number): number {
  vi.spyOn(Math, 'random').mockReturnValue(random);
  let at: number | null = null;
  const begin = Date.now();
  const { result } = renderHook(() =>
    useRecheck(() => {
      at = Date.now() - begin;
    }),
  );
  result.current(pause);
  vi.runAllTimers();
  if (at === null) {
    throw new Error('There was no request.');
  }
  return at;
}

describe('the delay of a request', () => {
  it.each([
    ['a step in a small meeting', afterStep(hall(20)), 0, 40],
    ['a step in a hall', afterStep(hall(2_000)), 0, 4_000],
    ['a step before most are checked in', afterStep(arriving(20, 3_000)), 0, 6_000],
    ['a step after all were, and some lost their vote', afterStep(arriving(40, 20)), 0, 80],
    ['a step, however many are connected', afterStep(hall(1_000_000)), 0, 20_000],
    ['votes in a small meeting', afterVotes(hall(20)), 3_000, 9_000],
    ['votes in a hall', afterVotes(hall(10_000)), 3_000, 103_000],
    ['votes before most are checked in', afterVotes(arriving(0, 3_000)), 3_000, 33_000],
  ])('after %s', (_, pause, soonest, latest) => {
    expect(delayOf(pause, 0)).toBe(soonest);
    expect(delayOf(pause, 1)).toBe(latest);
  });

  it('is one for repeated calls, and the next call has a new one', () => {
    const look = vi.fn();
    const { result } = renderHook(() => useRecheck(look));
    result.current(afterStep(hall(100)));
    result.current(afterStep(hall(100)));
    vi.runAllTimers();
    expect(look).toHaveBeenCalledTimes(1);
    result.current(afterStep(hall(100)));
    vi.runAllTimers();
    expect(look).toHaveBeenCalledTimes(2);
  });

  it('ends with the page', () => {
    const look = vi.fn();
    const { result, unmount } = renderHook(() => useRecheck(look));
    result.current(afterStep(hall(100)));
    unmount();
    vi.runAllTimers();
    expect(look).not.toHaveBeenCalled();
  });
});
