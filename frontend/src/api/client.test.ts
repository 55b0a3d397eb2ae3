import { delay, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { http, server } from '../test/server';
import { tokenOf } from '../test/tokens';
import { api, fileApi, publicApi, stepApi, unwrap } from './client';
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

describe('on a stalled connection', () => {
  const sent: Request[] = [];
  const stall = async ({ request }: { request: Request }) => {
    sent.push(request);
    await delay('infinite');
    return undefined as never;
  };

  beforeEach(() => {
    sent.length = 0;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    server.use(http.untyped.all('*/api/*', stall));
  });
  afterEach(() => void vi.useRealTimers());

  const meeting = { path: { meetingId: 'm1' } };
  const end = { params: { ...meeting, query: { step: 3 } } };

  it.each([
    { what: 'a read', limitS: 30, call: () => unwrap(api.GET('/voting/meetings')) },
    { what: 'a public read', limitS: 30, call: () => unwrap(publicApi.GET('/health')) },
    {
      what: 'a step of a meeting',
      limitS: 15,
      call: () => unwrap(stepApi.POST('/client/meetings/{meetingId}/end', end)),
    },
  ])('gives up $what after $limitS seconds', async ({ limitS, call }) => {
    const outcome = expect(call()).rejects.toMatchObject({ status: 0, code: 'unreachable' });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(limitS * 1_000 - 1_000);
    expect(sent[0]?.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    await outcome;
    expect(sent[0]?.signal.aborted).toBe(true);
  });

  /** Lets the server respond with a body that the test sends in parts. */
  function respondInParts() {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const parts = writable.getWriter();
    const headers = { 'Content-Type': 'application/json' };
    server.use(
      http.untyped.all('*/api/*', ({ request }) => {
        sent.push(request);
        return new Response(readable, { headers });
      }),
    );
    return {
      send: (text: string) => parts.write(new TextEncoder().encode(text)),
      end: () => parts.close(),
    };
  }

  it('gives up a read whose response stops in the middle', async () => {
    const body = respondInParts();
    const outcome = expect(unwrap(api.GET('/voting/meetings'))).rejects.toMatchObject({
      code: 'unreachable',
    });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    await body.send('{ "success": true, ');
    await vi.advanceTimersByTimeAsync(30_000);
    await outcome;
    expect(sent[0]?.signal.aborted).toBe(true);
  });

  it('waits for a read whose response is slow as long as it goes on', async () => {
    const body = respondInParts();
    const read = unwrap(api.GET('/voting/meetings'));
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    for (const part of ['{ "success": ', 'true, ', '"meetings": [] }']) {
      await vi.advanceTimersByTimeAsync(20_000);
      await body.send(part);
    }
    await body.end();
    await expect(read).resolves.toEqual({ success: true, meetings: [] });
  });

  it.each([
    { what: 'a change', call: () => api.DELETE('/client/meetings/{meetingId}', { params: meeting }) },
    {
      what: 'a file',
      call: () => fileApi.GET('/client/end-users/export', { params: { query: {} }, parseAs: 'blob' }),
    },
  ])('waits for $what as long as the browser does', async ({ call }) => {
    void call().catch(() => undefined);
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(sent[0]?.signal.aborted).toBe(false);
  });

  it('passes on that nobody waits any more', async () => {
    const screen = new AbortController();
    const outcome = expect(api.GET('/voting/meetings', { signal: screen.signal })).rejects.toThrow();
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    screen.abort();
    await outcome;
    expect(sent[0]?.signal.aborted).toBe(true);
  });
});

describe('a vote whose token the server refuses', () => {
  const VOTE = '/voting/meetings/{meetingId}/questions/{questionId}/vote';
  const tokenOfAnna = tokenOf({ sub: 'anna', sid: 'sign-in-of-anna' });
  const tokenOfBo = tokenOf({ sub: 'bo', sid: 'sign-in-of-bo' });
  const tokenOfAnnaAnew = tokenOf({ sub: 'anna', sid: 'next-sign-in-of-anna' });

  function sendVote() {
    return unwrap(
      api.POST(VOTE, {
        params: { path: { meetingId: 'm', questionId: 'q' } },
        body: { answers: ['Yes'] },
      }),
    );
  }

  /** Refuses the first token, and returns the senders of the votes that arrived. */
  function refuseFirst(meanwhile: () => void) {
    const senders: (string | null)[] = [];
    server.use(
      http.post(VOTE, ({ request, response }) => {
        senders.push(request.headers.get('Authorization'));
        if (senders.length > 1) {
          return response(201).json({
            success: true,
            vote: { id: 'v', answers: ['Yes'], castAt: '', receipt: null },
          });
        }
        meanwhile();
        return response.untyped(HttpResponse.json({ error: 'x', code: 'token_expired' }, { status: 401 }));
      }),
      http.post('/auth/refresh', ({ response }) =>
        response(200).json({ token: tokenOfBo, refreshToken: 'refresh-of-bo-2' }),
      ),
    );
    return senders;
  }

  beforeEach(() => window.localStorage.setItem('accessToken', tokenOfAnna));

  it.each([
    ['somebody else', tokenOfBo],
    ['the same person anew', tokenOfAnnaAnew],
  ])('is not sent again after a sign-in of %s', async (_, token) => {
    const senders = refuseFirst(() => {
      window.localStorage.setItem('accessToken', token);
      window.localStorage.setItem('refreshToken', 'next');
    });
    await expect(sendVote()).rejects.toMatchObject({ status: 401, code: 'session_ended' });
    expect(senders).toEqual([`Bearer ${tokenOfAnna}`]);
    expect(window.localStorage.getItem('accessToken')).toBe(token);
  });

  it('is not sent again after a sign-out', async () => {
    const senders = refuseFirst(() => session.forget());
    await expect(sendVote()).rejects.toMatchObject({ status: 401 });
    expect(senders).toHaveLength(1);
    expect(window.localStorage.getItem('accessToken')).toBeNull();
  });

  it('signs out nobody else when it is refused again', async () => {
    const renewed = tokenOf({ sub: 'anna', sid: 'sign-in-of-anna' }, { id: 2 });
    server.use(
      http.post('/auth/refresh', ({ response }) =>
        response(200).json({ token: renewed, refreshToken: 'refresh-2' }),
      ),
      http.post(VOTE, ({ request, response }) => {
        if (request.headers.get('Authorization') === `Bearer ${renewed}`) {
          window.localStorage.setItem('accessToken', tokenOfBo);
        }
        return response.untyped(HttpResponse.json({ error: 'x', code: 'session_ended' }, { status: 401 }));
      }),
    );
    await expect(sendVote()).rejects.toMatchObject({ status: 401 });
    expect(window.localStorage.getItem('accessToken')).toBe(tokenOfBo);
  });
});
