import { describe, expect, it } from 'vitest';
import { allGroups, firstGroups } from './record-words';

describe('the words of a record hash', () => {
  const hash = '5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456';

  it('are groups of four, of which the first are enough to compare', () => {
    expect(firstGroups(hash)).toBe('5df6 e0e2 7613 59d3');
    expect(allGroups(hash).replaceAll(' ', '')).toBe(hash);
    expect(allGroups(hash).split(' ')).toHaveLength(16);
  });
});
