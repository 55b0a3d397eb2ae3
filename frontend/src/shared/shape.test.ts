import { describe, expect, it } from 'vitest';
import { either, flag, listOf, nullable, number, object, oneOf, optional, shaped, text } from './shape';

const person = object({
  name: text,
  age: nullable(number),
  role: oneOf('voter', 'guest'),
  tags: listOf(text),
  isHere: optional(flag),
});
const anna = { name: 'Anna', age: 40, role: 'voter', tags: ['a'], isHere: true };

describe('a shape', () => {
  it('fits what has all of its fields', () => {
    expect(shaped(person, anna)).toBe(anna);
    expect(person({ name: 'Anna', age: null, role: 'guest', tags: [] })).toBe(true);
  });

  it('fits what has more than that', () => {
    expect(person({ ...anna, shoes: 38 })).toBe(true);
  });

  it.each([
    ['a text', { name: 1 }],
    ['a number', { age: '40' }],
    ['a number that may be null and is missing', { age: undefined }],
    ['one of some texts', { role: 'king' }],
    ['a list', { tags: 'a' }],
    ['a list of texts', { tags: ['a', 1] }],
    ['a flag', { isHere: 'yes' }],
  ])('does not fit where %s is something else', (_field, change) => {
    expect(shaped(person, { ...anna, ...change })).toBeNull();
  });

  it.each([[null], [undefined], ['Anna'], [[]]])('does not fit %j', (value) => {
    expect(person(value)).toBe(false);
  });

  it('fits either of several', () => {
    const animal = either(object({ kind: oneOf('cat') }), object({ kind: oneOf('bird'), wings: number }));
    expect(animal({ kind: 'cat' })).toBe(true);
    expect(animal({ kind: 'bird', wings: 2 })).toBe(true);
    expect(animal({ kind: 'bird' })).toBe(false);
  });
});
