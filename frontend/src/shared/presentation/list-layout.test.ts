import { describe, expect, it } from 'vitest';
import { listLayout } from './list-layout';

const texts = (count: number, text = 'Blue') =>
  Array.from({ length: count }, (_, index) => `${text} ${index}`);
const QUESTION = 'Which of these colors?';

describe('the layout of a list', () => {
  it.each([
    [4, 1],
    [5, 2],
    [16, 2],
  ])('of %i entries has %i columns, and shows all', (count, columns) => {
    expect(listLayout(texts(count), QUESTION)).toEqual({ columns, shown: count });
  });

  it('uses the width for many short entries, and shows as many as stay legible', () => {
    const { columns, shown } = listLayout(texts(100), QUESTION);
    expect(columns).toBe(5);
    expect(shown).toBeGreaterThanOrEqual(80);
    expect(shown).toBeLessThanOrEqual(100);
    expect(listLayout(texts(60), QUESTION).shown).toBe(60);
  });

  it('has fewer columns for long entries, and shows fewer of them', () => {
    const long = listLayout(texts(100, 'x'.repeat(70)), QUESTION);
    expect(long.columns).toBeLessThan(5);
    expect(long.shown).toBeLessThan(60);
  });

  it('leaves a long question its space', () => {
    const under = (question: string) => listLayout(texts(100), question).shown;
    expect(under('x'.repeat(600))).toBeLessThan(under(QUESTION));
    expect(under('x'.repeat(600))).toBeGreaterThan(20);
  });
});
