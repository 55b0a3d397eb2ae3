import { expect, it } from 'vitest';
import { waysSentence, waysSentenceByWeight } from './ways';

const count = (heads: number, weight = heads) => ({ heads, weight });

it('tells how many votes came which way', () => {
  const ways = { device: count(1_120, 1_130.5), paper: count(30), votingPlace: count(4) };
  expect(waysSentence({ ways })).toBe('By device 1,120, on paper 30, at a voting place 4.');
  expect(waysSentenceByWeight({ ways })).toBe(
    'By device 1,120, weight 1,130.5; on paper 30, weight 30; at a voting place 4, weight 4.',
  );
});

it('leaves out ways that nobody used, and everything if all votes came from devices', () => {
  expect(waysSentence({ ways: { device: count(0), paper: count(2), votingPlace: count(0) } })).toBe(
    'By device 0, on paper 2.',
  );
  expect(waysSentence({})).toBeNull();
});
