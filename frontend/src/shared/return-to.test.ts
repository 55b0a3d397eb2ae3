import { expect, it } from 'vitest';
import { pathAfterSignIn } from './return-to';

it.each([
  ['back to where the session ended', { returnTo: '/client/end-users?page=2', userId: 'anna' }],
  ['back to what was asked for by nobody yet', { returnTo: '/client/end-users?page=2' }],
])('leads %s', (_, state) => {
  expect(pathAfterSignIn(state, { id: 'anna' }, '/client')).toBe('/client/end-users?page=2');
});

it.each([
  ['where nothing is known', null],
  ['from the screen of somebody else', { returnTo: '/client/end-users', userId: 'bo' }],
  ['from a screen of another role', { returnTo: '/admin/clients', userId: 'anna' }],
  ['from an address that only begins alike', { returnTo: '/clients', userId: 'anna' }],
  ['from somewhere outside', { returnTo: 'https://elsewhere.test/client' }],
])('leads home %s', (_, state) => {
  expect(pathAfterSignIn(state, { id: 'anna' }, '/client')).toBe('/client');
});
