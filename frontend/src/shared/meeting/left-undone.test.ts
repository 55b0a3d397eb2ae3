import { expect, it } from 'vitest';
import type { Round } from '../../api/types';
import { leftUndoneWords } from './left-undone';

const round = (questionId: string, status: Round['status'], number = 1) => ({
  id: `${questionId} ${number}`,
  questionId,
  number,
  status,
});

it('counts the results that wait for their declaration, and the questions without a round', () => {
  expect(leftUndoneWords(3, [round('q1', 'COUNTED'), round('q2', 'DECLARED')])).toBe(
    '1 result is not declared. 1 question was never asked.',
  );
  expect(leftUndoneWords(2, [round('q1', 'COUNTED'), round('q2', 'COUNTED')])).toBe(
    '2 results are not declared.',
  );
  expect(leftUndoneWords(2, [])).toBe('2 questions were never asked.');
});

it('asks for nothing when all is declared, by the last round of each question', () => {
  expect(leftUndoneWords(1, [round('q1', 'DECLARED', 2), round('q1', 'COUNTED')])).toBeNull();
  expect(leftUndoneWords(1, [round('q1', 'COUNTED', 2), round('q1', 'DECLARED')])).toBe(
    '1 result is not declared.',
  );
});

it('leaves out a round that has no result: an open one, and a void one', () => {
  const rounds = [round('q1', 'ENDED')];
  expect(leftUndoneWords(1, [round('q1', 'OPEN')])).toBeNull();
  expect(leftUndoneWords(1, rounds, { roundId: 'q1 1', isVoid: true })).toBeNull();
  expect(leftUndoneWords(1, rounds, { roundId: 'q1 1', isVoid: false })).toBe('1 result is not declared.');
  expect(leftUndoneWords(1, rounds, { roundId: 'q2 1', isVoid: true })).toBe('1 result is not declared.');
});
