import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveState } from '../../shared/live/live-events';
import { liveQuestion, liveState } from '../../test/live-samples';
import { followLiveChange } from './follow-live-change';

const votes = {
  isVoted: () => false,
  recheckLater: vi.fn(),
  recheckStep: vi.fn(),
  recheckRegister: vi.fn(),
  recheckResults: vi.fn(),
};

function follow(previous: LiveState, next: LiveState) {
  followLiveChange(previous, next, {
    meetingId: 'm1',
    userId: 'u1',
    votes: votes as unknown as Parameters<typeof followLiveChange>[2]['votes'],
    sendingKey: null,
    noteClosed: vi.fn(),
    forgetClosed: vi.fn(),
    onRunning: vi.fn(),
    onOpened: vi.fn(),
    onNewQuestion: vi.fn(),
  });
}

beforeEach(() => void vi.clearAllMocks());

describe('a phone that waits', () => {
  const before = liveState({ status: 'SCHEDULED', participantCount: 20 });

  it('fetches the meeting without hurry after a change that the state does not contain', () => {
    const next = { ...before, version: 11, wholeAt: 11 };
    follow(before, next);
    expect(votes.recheckLater).toHaveBeenCalledExactlyOnceWith(next);
    expect(votes.recheckStep).not.toHaveBeenCalled();
  });

  it.each<[string, Partial<LiveState>]>([
    ['another phone connects', { version: 11, participantCount: 21 }],
    ['only a counter changes that this screen does not show', { version: 11 }],
    ['the server lost the others', { version: 11, wholeAt: 11, isDelayed: true }],
    ['it is checked in itself', { ownCheckIn: true }],
  ])('fetches nothing when %s', (_, change) => {
    follow(before, { ...before, ...change });
    expect(votes.recheckLater).not.toHaveBeenCalled();
  });

  it('fetches the meeting once, for the step, when a question opens', () => {
    follow(before, { ...before, version: 11, currentQuestion: liveQuestion() });
    expect(votes.recheckStep).toHaveBeenCalledTimes(1);
    expect(votes.recheckLater).not.toHaveBeenCalled();
  });
});
