import { describe, expect, it } from 'vitest';
import { withGroup, withHidden, without, withoutGroup, withPicked } from './curation';

const parts = {
  isShown: true,
  picked: ['a'],
  hidden: ['b'],
  groups: [
    { name: 'Trees', answers: ['c', 'd'] },
    { name: 'One', answers: ['e'] },
  ],
};

describe('a curation', () => {
  it('gives each answer one place', () => {
    expect(withPicked(parts, 'b')).toEqual({ ...parts, picked: ['a', 'b'], hidden: [] });
    expect(withHidden(parts, ['a', 'e'])).toEqual({
      ...parts,
      picked: [],
      hidden: ['b', 'a', 'e'],
      groups: [parts.groups[0]],
    });
    expect(without(parts, ['b', 'c'])).toEqual({
      ...parts,
      hidden: [],
      groups: [{ name: 'Trees', answers: ['d'] }, parts.groups[1]],
    });
  });

  it('adds answers to a group, which may be new', () => {
    expect(withGroup(parts, ' Trees ', ['a', 'f']).groups[0]).toEqual({
      name: 'Trees',
      answers: ['c', 'd', 'a', 'f'],
    });
    expect(withGroup(parts, 'New', ['c']).groups.at(-1)).toEqual({ name: 'New', answers: ['c'] });
    expect(withoutGroup(parts, 'Trees').groups).toEqual([parts.groups[1]]);
  });
});
