import { expect, it } from 'vitest';
import { clientAdmin, voter } from '../test/people';
import { http, server } from '../test/server';
import { tokenOf } from '../test/tokens';
import { deviceTokens, keepDeviceToken, knownDevice } from './device-tokens';
import { session } from './session';

it('keeps the newest twenty, each once', () => {
  for (let number = 0; number < 25; number += 1) {
    keepDeviceToken(`token-${number}`);
  }
  keepDeviceToken('token-10');
  keepDeviceToken(null);
  expect(deviceTokens()).toHaveLength(20);
  expect(deviceTokens().slice(0, 3)).toEqual(['token-10', 'token-24', 'token-23']);
});

it('takes what is no list of tokens for none', () => {
  for (const stored of ['', '{', '{"a":1}', 'null', '[1, null]']) {
    window.localStorage.setItem('deviceTokens', stored);
    expect(knownDevice()).toEqual({});
  }
});

it('sends what earlier sign-ins on the device have left, also after a sign-out', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post('/auth/login', async ({ request, response }) => {
      sent.push((await request.json()).deviceTokens);
      const token = tokenOf({ sub: 'anna', sid: 'one' });
      return response(200).json({ token, refreshToken: 'r', deviceToken: 'of-anna', user: clientAdmin });
    }),
    http.post('/auth/end-user/login', async ({ request, response }) => {
      sent.push((await request.json()).deviceTokens);
      const token = tokenOf({ sub: 'bo', sid: 'two' });
      return response(200).json({ token, refreshToken: 'r', deviceToken: 'of-bo', user: voter });
    }),
    http.post('/auth/logout', ({ response }) => response(200).json({ success: true })),
  );
  await session.signIn({ email: 'anna@example.org', password: 'x' });
  await session.signOut();
  await session.signInEndUser({ clientCode: 'riverside', username: 'bo', password: 'x' });
  await session.signOut();
  await session.signIn({ email: 'anna@example.org', password: 'x' });
  expect(sent).toEqual([undefined, ['of-anna'], ['of-bo', 'of-anna']]);
  await session.signOut();
});
