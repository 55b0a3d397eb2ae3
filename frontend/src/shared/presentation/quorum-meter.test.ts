import { expect, it } from 'vitest';
import { quorumState } from '../../test/live-samples';
import { hasMeter, quorumMeter } from './quorum-meter';

const { quorum } = quorumState();

it.each([
  [{}, 'Quorum not met: 64 present, 90 needed.'],
  [
    { quorum: { ...quorum, unit: 'weight' as const }, attending: 71.2505, needed: 100.75 },
    'Quorum not met: weight 71.2505 present, 100.75 needed.',
  ],
  [
    { quorum: { ...quorum, attendance: 'voted' as const }, attending: 12 },
    'Quorum not met: 12 voted, 90 needed.',
  ],
  [
    { attending: 100.75, needed: 100.75, isMet: false },
    'Quorum not met: 100.75 present, more than 100.75 needed.',
  ],
  [{ attending: 90, isMet: true }, 'Quorum met: 90 present, 90 needed.'],
  [
    { represented: { heads: 3, weight: 4 }, attending: 47, needed: 30, isMet: true },
    'Quorum met: 47 present or represented, 30 needed.',
  ],
  [{ needed: null, percent: null }, 'Quorum not met: 64 present, nobody may vote.'],
])('says how many are present and how many are needed: %o', (change, words) => {
  expect(quorumMeter(quorumState(change)).words).toBe(words);
});

it('draws the given percent, with a mark at the threshold', () => {
  expect(quorumMeter(quorumState())).toMatchObject({ filledPercent: 35.56, markPercent: 50 });
  expect(quorumMeter(quorumState({ percent: null })).filledPercent).toBe(0);
});

it('waits for votes only while they are taken', () => {
  const voted = quorumState({ quorum: { ...quorum, attendance: 'voted' } });
  expect(hasMeter('open', voted)).toBe(true);
  expect(hasMeter('waiting', voted)).toBe(false);
  expect(hasMeter('waiting', quorumState())).toBe(true);
  expect(hasMeter('declared', quorumState())).toBe(false);
});
