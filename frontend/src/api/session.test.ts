import { beforeEach, describe, expect, it } from 'vitest';
import { clientAdmin } from '../test/people';
import { http, server } from '../test/server';
import { api, unwrap } from './client';
import { session } from './session';

/** A token as the server makes them, as far as the browser reads it. */
function tokenThatEnds(inSeconds: number, id = 1): string {
  const now = Math.floor(Date.now() / 1000);
  const payload = btoa(JSON.stringify({ sub: 'anna', id, iat: now - 900 + inSeconds, exp: now + inSeconds }));
  return `head.${payload}.signature`;
}

let refreshes: number;

beforeEach(() => {
  refreshes = 0;
  server.use(
    http.post('/auth/refresh', ({ response }) => {
      refreshes += 1;
      return response(200).json({ token: tokenThatEnds(900, 2), refreshToken: 'refresh-2' });
    }),
  );
});

function store(token: string) {
  window.localStorage.setItem('accessToken', token);
  window.localStorage.setItem('refreshToken', 'refresh-1');
}

describe('accessToken', () => {
  it('gives a fresh token as it is', async () => {
    const token = tokenThatEnds(600);
    store(token);
    expect(await session.accessToken()).toBe(token);
    expect(refreshes).toBe(0);
  });

  it('renews a token that is about to end, once for many callers', async () => {
    store(tokenThatEnds(10));
    const tokens = await Promise.all([session.accessToken(), session.accessToken(), session.accessToken()]);
    expect(new Set(tokens).size).toBe(1);
    expect(refreshes).toBe(1);
    expect(window.localStorage.getItem('refreshToken')).toBe('refresh-2');
  });

  it('forgets both tokens when the server no longer renews', async () => {
    store(tokenThatEnds(10));
    server.use(
      http.post('/auth/refresh', ({ response }) =>
        response(401).json({ error: 'Session ended', message: 'Session ended', code: 'session_ended' }),
      ),
    );
    await expect(session.accessToken()).rejects.toMatchObject({ code: 'session_ended' });
    expect(window.localStorage.getItem('accessToken')).toBeNull();
    expect(session.state().status).toBe('anonymous');
  });

  it('keeps the tokens when the server is away', async () => {
    store(tokenThatEnds(10));
    server.use(
      http.post('/auth/refresh', ({ response }) =>
        response(503).json({ error: 'Later', message: 'Later', code: 'temporarily_unavailable' }),
      ),
    );
    await expect(session.accessToken()).rejects.toMatchObject({ status: 503 });
    expect(window.localStorage.getItem('refreshToken')).toBe('refresh-1');
  });
});

describe('a call that the server refuses with 401', () => {
  it('is sent again with a renewed token and the same body', async () => {
    store(tokenThatEnds(600));
    const bodies: unknown[] = [];
    server.use(
      http.post('/client/questions', async ({ request, response }) => {
        bodies.push(await request.json());
        return bodies.length === 1
          ? response(401).json({ error: 'Expired', message: 'Expired', code: 'token_expired' })
          : response(201).json({} as never);
      }),
    );
    const body = { meetingId: 'm', questionText: 'Q', questionType: 'OPEN_TEXT' as const };
    await unwrap(api.POST('/client/questions', { body }));
    expect(bodies).toEqual([body, body]);
    expect(refreshes).toBe(1);
  });
});

describe('resolve', () => {
  it('finds out who is signed in', async () => {
    store(tokenThatEnds(600));
    server.use(http.get('/auth/me', ({ response }) => response(200).json({ user: clientAdmin })));
    await session.resolve();
    expect(session.state()).toEqual({ status: 'signedIn', user: clientAdmin });
  });

  it('signs out who is no longer known', async () => {
    store(tokenThatEnds(600));
    server.use(
      http.get('/auth/me', ({ response }) =>
        response(403).json({ error: 'No', message: 'No', code: 'invalid_token' }),
      ),
    );
    await session.resolve();
    expect(session.state().status).toBe('anonymous');
    expect(window.localStorage.getItem('accessToken')).toBeNull();
  });

  it('stays signed in while the server cannot be reached', async () => {
    store(tokenThatEnds(600));
    server.use(http.get('/auth/me', ({ response }) => response.untyped(Response.error())));
    await session.resolve();
    expect(session.state().status).toBe('unreachable');
    expect(window.localStorage.getItem('accessToken')).not.toBeNull();
  });
});
