import { describe, expect, it } from 'vitest';
import { liveQuestion, liveState } from '../../../test/live-samples';
import { VoteTrail } from './recent-votes';

const at = (voteCount: number, change: Parameters<typeof liveQuestion>[0] = {}) =>
  liveState({ currentQuestion: liveQuestion(change), voteCount, registerSize: 180 });

describe('the trail of votes', () => {
  it('counts those of the last ten seconds', () => {
    const trail = new VoteTrail();
    trail.note(liveState(), at(0), 0);
    trail.note(at(0), at(40), 1_000);
    trail.note(at(40), at(45), 6_000);
    expect(trail.recent(7_000)).toBe(45);
    expect(trail.recent(11_500)).toBe(5);
    expect(trail.recent(16_500)).toBe(0);
  });

  it('begins anew with each round, and has none where no voting is open', () => {
    const trail = new VoteTrail();
    trail.note(liveState(), at(0), 0);
    trail.note(at(0), at(40), 1_000);
    trail.note(at(40), liveState(), 1_500);
    expect(trail.recent(2_000)).toBe(0);
    // Reopened: its existing votes are not new.
    trail.note(liveState(), at(40), 2_000);
    expect(trail.recent(2_100)).toBe(0);
    trail.note(at(40), at(41), 2_500);
    expect(trail.recent(2_600)).toBe(1);
  });

  it('takes the votes of a round that was just opened for new after a reload', () => {
    const fresh = new VoteTrail();
    fresh.note(null, at(12, { openedAt: new Date().toISOString() }), 0);
    expect(fresh.recent(100)).toBe(12);
    const old = new VoteTrail();
    old.note(null, at(12, { openedAt: '2020-01-01T00:00:00Z' }), 0);
    expect(old.recent(100)).toBe(0);
  });
});
