import { describe, expect, it } from 'vitest';
import { entryTarget } from './entry-target';

const { host, origin } = window.location;

describe('the target of a typed text', () => {
  it.each([
    ['mitte-26', '/participant/login/mitte-26'],
    [' MITTE-26 ', '/participant/login/mitte-26'],
    [`${origin}/participant/login/mitte`, '/participant/login/mitte'],
    [`${origin}/vote/aBcD-12_x`, '/vote/aBcD-12_x'],
    [` ${host.toUpperCase()}/vote/aBcD `, '/vote/aBcD'],
    ['/vote/aBcD', '/vote/aBcD'],
    [`https://${host}/verify#R=ABC`, '/verify#R=ABC'],
    ['a b', '/participant/login/a%20b'],
  ])('of %j is %s', (typed, path) => {
    expect(entryTarget(typed)).toEqual({ path });
  });

  it.each([
    ['', /enter your organization code/],
    ['https://elsewhere.example/participant/login/mitte', /another website/],
    ['elsewhere.example/mitte', /another website/],
    ['//elsewhere.example/vote/a', /another website/],
    ['javascript:alert(1)//', /another website/],
    [`https://${host}@elsewhere.example/vote/a`, /another website/],
    ['https://', /another website/],
    [`${origin}/`, /names no organization/],
    [`${origin}/participant`, /names no organization/],
  ])('of %j is none', (typed, refusal) => {
    expect(entryTarget(typed)).toEqual({ refusal: expect.stringMatching(refusal) });
  });
});
