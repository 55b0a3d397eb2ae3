import { HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { http, server } from '../test/server';
import { api, unwrap } from './client';
import { session } from './session';

beforeEach(() => {
  window.localStorage.setItem('accessToken', 'old');
  window.localStorage.setItem('refreshToken', 'refresh');
});

function serve(refusal: { status: number; code: string }) {
  server.use(
    http.get('/voting/meetings', ({ request, response }) =>
      request.headers.get('Authorization') === 'Bearer new'
        ? response(200).json({ success: true, meetings: [] })
        : response.untyped(HttpResponse.json({ error: 'x', code: refusal.code }, { status: refusal.status })),
    ),
    http.post('/auth/refresh', ({ response }) => response(200).json({ token: 'new', refreshToken: 'next' })),
  );
}

it.each([
  { status: 401, code: 'token_expired' },
  { status: 403, code: 'invalid_token' },
])(
  'renews a token that the server refuses with $status $code, and sends the request again',
  async (refusal) => {
    serve(refusal);
    await expect(unwrap(api.GET('/voting/meetings'))).resolves.toEqual({ success: true, meetings: [] });
    expect(window.localStorage.getItem('accessToken')).toBe('new');
  },
);

it('leaves the token alone when the person may not do this', async () => {
  serve({ status: 403, code: 'wrong_role' });
  await expect(unwrap(api.GET('/voting/meetings'))).rejects.toMatchObject({ code: 'wrong_role' });
  expect(window.localStorage.getItem('accessToken')).toBe('old');
});

it('ends the session where a token made this instant is refused as well', async () => {
  serve({ status: 401, code: 'session_ended' });
  server.use(
    http.get('/voting/meetings', ({ response }) =>
      response.untyped(HttpResponse.json({ error: 'x', code: 'session_ended' }, { status: 401 })),
    ),
  );
  await expect(unwrap(api.GET('/voting/meetings'))).rejects.toMatchObject({ status: 401 });
  expect(session.state().status).toBe('anonymous');
  expect(window.localStorage.getItem('accessToken')).toBeNull();
});
