import { expect, it } from 'vitest';
import { partsOf, signed } from './forged-tokens';

it('signs as everybody does, so that only the key is wrong', () => {
  const claims = { sub: '1234567890', name: 'John Doe', iat: 1516239022 };
  expect(signed({ alg: 'HS256', typ: 'JWT' }, claims, 'your-256-bit-secret')).toBe(
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  );
});

it('reads what it has written, letters of all kinds included', () => {
  const claims = { name: 'Zoë Ångström' };
  expect(partsOf(signed({ alg: 'HS256' }, claims, ''))).toMatchObject({ header: { alg: 'HS256' }, claims });
});

it('reads nothing from what is no token', () => {
  expect(partsOf('not-a-token')).toBeUndefined();
  expect(partsOf('a.b.c')).toBeUndefined();
});
