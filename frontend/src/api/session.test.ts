import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clientAdmin, voter } from '../test/people';
import { http, server } from '../test/server';
import { tokenOf } from '../test/tokens';
import { api, unwrap } from './client';
import { session } from './session';

const tokenThatEnds = (inSeconds: number, id = 1) =>
  tokenOf({ sub: 'anna' }, { endsInSeconds: inSeconds, id });

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

  it.each([
    [503, 'temporarily_unavailable'],
    [429, 'too_many_tries'],
    [408, 'body_too_slow'],
  ] as const)('keeps the tokens when nothing was decided (%i)', async (status, code) => {
    store(tokenThatEnds(10));
    server.use(
      http.post('/auth/refresh', ({ response }) =>
        response(status).json({ error: 'Later', message: 'Later', code }),
      ),
    );
    await expect(session.accessToken()).rejects.toMatchObject({ status });
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

const anna = { sub: 'anna', sid: 'sign-in-of-anna' };
const bo = { sub: 'bo', sid: 'sign-in-of-bo' };

function storePair(token: string, refreshToken: string) {
  window.localStorage.setItem('accessToken', token);
  window.localStorage.setItem('refreshToken', refreshToken);
}

function storedPair() {
  return [window.localStorage.getItem('accessToken'), window.localStorage.getItem('refreshToken')];
}

async function signInBo(token = tokenOf(bo)) {
  server.use(
    http.post('/auth/end-user/login', ({ response }) =>
      response(200).json({ token, refreshToken: 'refresh-of-bo', deviceToken: 'device-of-bo', user: voter }),
    ),
  );
  await session.signInEndUser({ clientCode: 'riverside', username: 'bo', password: 'x' });
  return [token, 'refresh-of-bo'];
}

/** A server that responds on command. `asked` resolves once the request has arrived. */
function held() {
  let markAsked = () => {};
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    markAsked = resolve;
  });
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  return {
    asked,
    answer,
    wait: () => {
      markAsked();
      return answered;
    },
  };
}

describe('a renewal that is answered late', () => {
  const renewed = tokenOf(anna, { id: 2 });
  let renewal: ReturnType<typeof held>;
  let refused: boolean;

  beforeEach(() => {
    renewal = held();
    refused = false;
    storePair(tokenOf(anna, { endsInSeconds: 10 }), 'refresh-of-anna');
    server.use(
      http.post('/auth/refresh', async ({ response }) => {
        await renewal.wait();
        return refused
          ? response(401).json({ error: 'Session ended', message: 'Session ended', code: 'session_ended' })
          : response(200).json({ token: renewed, refreshToken: 'refresh-of-anna-2' });
      }),
      http.post('/auth/logout', ({ response }) => response(200).json({ success: true })),
    );
  });

  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('does not bring back who has signed out', async () => {
    const token = session.accessToken();
    await renewal.asked;
    const signedOut = session.signOut();
    renewal.answer();
    await expect(token).rejects.toMatchObject({ status: 401, code: 'session_ended' });
    await signedOut;
    expect(storedPair()).toEqual([null, null]);
    expect(session.state().status).toBe('anonymous');
  });

  it.each([false, true])(
    'leaves alone who has signed in since (refused by the server: %s)',
    async (isRefused) => {
      refused = isRefused;
      const token = session.accessToken();
      await renewal.asked;
      session.forget();
      const pairOfBo = await signInBo();
      renewal.answer();
      await expect(token).rejects.toMatchObject({ status: 401, code: 'session_ended' });
      expect(storedPair()).toEqual(pairOfBo);
      expect(session.state()).toEqual({ status: 'signedIn', user: voter });
    },
  );

  it('is not waited for by who has signed in since', async () => {
    const holders = new Map<string, Promise<unknown>>();
    const request = (name: string, _options: LockOptions, exchange: () => Promise<string>) => {
      const result = (holders.get(name) ?? Promise.resolve()).then(exchange);
      holders.set(
        name,
        result.catch(() => undefined),
      );
      return result;
    };
    vi.stubGlobal('navigator', { ...navigator, locks: { request } });
    const token = session.accessToken();
    await renewal.asked;
    session.forget();
    const renewedOfBo = tokenOf(bo, { id: 2 });
    server.use(
      http.post('/auth/refresh', ({ response }) =>
        response(200).json({ token: renewedOfBo, refreshToken: 'refresh-of-bo-2' }),
      ),
    );
    await signInBo();
    expect(await session.renewedToken()).toBe(renewedOfBo);
    renewal.answer();
    await expect(token).rejects.toMatchObject({ code: 'session_ended' });
    expect(storedPair()).toEqual([renewedOfBo, 'refresh-of-bo-2']);
  });

  it.each([false, true])(
    'gives way to the pair that another tab has stored since (refused by the server: %s)',
    async (isRefused) => {
      refused = isRefused;
      const token = session.accessToken();
      await renewal.asked;
      const pairOfOtherTab = [tokenOf(anna, { id: 3 }), 'refresh-of-anna-3'] as const;
      storePair(...pairOfOtherTab);
      renewal.answer();
      expect(await token).toBe(pairOfOtherTab[0]);
      expect(storedPair()).toEqual(pairOfOtherTab);
    },
  );
});

describe('a renewal that waits for another tab', () => {
  /** Simulates another tab that changes the storage while it has the lock. */
  function lockedBy(otherTab: () => void) {
    vi.stubGlobal('navigator', {
      ...navigator,
      locks: {
        request: async (_name: string, _options: LockOptions, exchange: () => Promise<string>) => {
          otherTab();
          return exchange();
        },
      },
    });
  }

  beforeEach(() => storePair(tokenOf(anna, { endsInSeconds: 10 }), 'refresh-of-anna'));
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('takes the pair that it stored', async () => {
    const token = tokenOf(anna, { id: 2 });
    lockedBy(() => storePair(token, 'refresh-of-anna-2'));
    expect(await session.accessToken()).toBe(token);
    expect(refreshes).toBe(0);
  });

  it.each(['fresh', 'old'])('takes no %s token of somebody who signed in there', async (age) => {
    const pairOfBo = [tokenOf(bo, { endsInSeconds: age === 'fresh' ? 900 : 10 }), 'refresh-of-bo'] as const;
    lockedBy(() => storePair(...pairOfBo));
    await expect(session.accessToken()).rejects.toMatchObject({ status: 401, code: 'session_ended' });
    expect(refreshes).toBe(0);
    expect(storedPair()).toEqual(pairOfBo);
  });
});

describe('a sign-in as somebody else in another tab', () => {
  beforeEach(async () => {
    storePair(tokenOf(anna), 'refresh-of-anna');
    server.use(http.get('/auth/me', ({ response }) => response(200).json({ user: clientAdmin })));
    await session.resolve();
    server.use(http.get('/auth/me', ({ response }) => response(200).json({ user: voter })));
  });

  it('counts before this page has heard of it', async () => {
    storePair(tokenOf(bo), 'refresh-of-bo');
    await expect(session.accessToken()).rejects.toMatchObject({ status: 401, code: 'session_ended' });
    await vi.waitFor(() => expect(session.state()).toEqual({ status: 'signedIn', user: voter }));
    expect(await session.accessToken()).toBe(window.localStorage.getItem('accessToken'));
  });

  it('lets listeners drop what belongs to the last person', async () => {
    const seen: string[] = [];
    const unsubscribe = session.subscribe(() => seen.push(session.state().status));
    const [oldValue, newValue] = [window.localStorage.getItem('accessToken'), tokenOf(bo)];
    storePair(newValue, 'refresh-of-bo');
    window.dispatchEvent(new StorageEvent('storage', { key: 'accessToken', oldValue, newValue }));
    await vi.waitFor(() => expect(session.state().status).toBe('signedIn'));
    unsubscribe();
    expect(seen).toContain('anonymous');
    expect(seen.at(-1)).toBe('signedIn');
  });
});

describe('an answer to "who is this" that comes late', () => {
  it.each([200, 401])('says nothing about who has signed in since (%i)', async (status) => {
    const me = held();
    storePair(tokenOf(anna), 'refresh-of-anna');
    server.use(
      http.get('/auth/me', async ({ response }) => {
        await me.wait();
        return response.untyped(
          status === 200
            ? HttpResponse.json({ user: clientAdmin })
            : HttpResponse.json({ error: 'Session ended', code: 'session_ended' }, { status }),
        );
      }),
    );
    const resolved = session.resolve();
    await me.asked;
    session.forget();
    const pairOfBo = await signInBo();
    me.answer();
    await resolved;
    expect(session.state()).toEqual({ status: 'signedIn', user: voter });
    expect(storedPair()).toEqual(pairOfBo);
  });

  it('is asked for again where another tab has signed in since', async () => {
    const me = held();
    storePair(tokenOf(anna), 'refresh-of-anna');
    const tokenOfBo = tokenOf(bo);
    server.use(
      http.get('/auth/me', async ({ request, response }) => {
        if (request.headers.get('Authorization') === `Bearer ${tokenOfBo}`) {
          return response(200).json({ user: voter });
        }
        await me.wait();
        return response(200).json({ user: clientAdmin });
      }),
    );
    const resolved = session.resolve();
    await me.asked;
    storePair(tokenOfBo, 'refresh-of-bo');
    me.answer();
    await resolved;
    expect(session.state()).toEqual({ status: 'signedIn', user: voter });
  });
});

describe('beforeSignOut', () => {
  beforeEach(() => {
    server.use(http.post('/auth/logout', ({ response }) => response(200).json({ success: true })));
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('has the tokens stay until what is to be done is done, whether that works or not', async () => {
    store(tokenThatEnds(600));
    let fail: (reason: Error) => void = () => {};
    const task = new Promise<void>((_, reject) => {
      fail = reject;
    });
    const release = session.beforeSignOut(() => task);
    const signedOut = session.signOut();
    expect(window.localStorage.getItem('accessToken')).not.toBeNull();
    fail(new Error('It did not work'));
    await signedOut;
    expect(window.localStorage.getItem('accessToken')).toBeNull();
    release();
  });

  it('waits no longer than 20 seconds', async () => {
    store(tokenThatEnds(600));
    const release = session.beforeSignOut(() => new Promise(() => {}));
    void session.signOut();
    await vi.advanceTimersByTimeAsync(19_999);
    expect(window.localStorage.getItem('accessToken')).not.toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(window.localStorage.getItem('accessToken')).toBeNull();
    release();
  });

  it('has the tokens go at once where nothing is to be done any more', () => {
    store(tokenThatEnds(600));
    session.beforeSignOut(() => new Promise(() => {}))();
    void session.signOut();
    expect(window.localStorage.getItem('accessToken')).toBeNull();
  });
});

describe('signOut', () => {
  const renewed = tokenOf(anna, { id: 2 });
  let asked: string[];

  /** A server that refuses expired tokens by its own list, not by their claims. */
  function serve({ tooOld = [] as string[] } = {}) {
    server.use(
      http.post('/auth/refresh', async ({ request, response }) => {
        asked.push(`refresh ${(await request.json()).refreshToken}`);
        return response(200).json({ token: renewed, refreshToken: 'refresh-of-anna-2' });
      }),
      http.post('/auth/logout', ({ request, response }) => {
        const token = (request.headers.get('Authorization') ?? '').replace('Bearer ', '');
        asked.push(`logout ${token}`);
        return tooOld.includes(token)
          ? response(401).json({ error: 'Expired', message: 'Expired', code: 'token_expired' })
          : response(200).json({ success: true });
      }),
    );
  }

  beforeEach(() => {
    asked = [];
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('notifies the server with the token at hand', async () => {
    const token = tokenOf(anna);
    storePair(token, 'refresh-of-anna');
    serve();
    await session.signOut();
    expect(asked).toEqual([`logout ${token}`]);
  });

  it('renews a token that is too old first, and keeps neither', async () => {
    storePair(tokenOf(anna, { endsInSeconds: -60 }), 'refresh-of-anna');
    serve();
    await session.signOut();
    expect(asked).toEqual(['refresh refresh-of-anna', `logout ${renewed}`]);
    expect(storedPair()).toEqual([null, null]);
  });

  it('renews a token that only the server finds too old', async () => {
    const token = tokenOf(anna);
    storePair(token, 'refresh-of-anna');
    serve({ tooOld: [token] });
    await session.signOut();
    expect(asked).toEqual([`logout ${token}`, 'refresh refresh-of-anna', `logout ${renewed}`]);
    expect(storedPair()).toEqual([null, null]);
  });

  it('clears the device at once, and waits only so long for a server that does not answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const refresh = held();
    storePair(tokenOf(anna, { endsInSeconds: -60 }), 'refresh-of-anna');
    server.use(
      http.post('/auth/refresh', async ({ response }) => {
        await refresh.wait();
        return response(200).json({ token: renewed, refreshToken: 'refresh-of-anna-2' });
      }),
    );
    const signedOut = session.signOut();
    expect(storedPair()).toEqual([null, null]);
    expect(session.state().status).toBe('anonymous');
    await refresh.asked;
    await vi.advanceTimersByTimeAsync(10_000);
    await expect(signedOut).resolves.toBeUndefined();
    refresh.answer();
  });
});

describe('a session that nobody here has signed out of', () => {
  beforeEach(async () => {
    storePair(tokenOf(anna), 'refresh-of-anna');
    server.use(
      http.get('/auth/me', ({ response }) => response(200).json({ user: clientAdmin })),
      http.post('/auth/logout', ({ response }) => response(200).json({ success: true })),
    );
    await session.resolve();
  });

  it('differs from a sign-out where the server has ended it', async () => {
    server.use(
      http.post('/auth/refresh', ({ response }) =>
        response(401).json({ error: 'Session ended', message: 'Session ended', code: 'session_ended' }),
      ),
    );
    await expect(session.renewedToken()).rejects.toMatchObject({ status: 401 });
    expect(session.state()).toEqual({ status: 'anonymous', ended: { user: clientAdmin, by: 'server' } });
  });

  it.each(['accessToken', null])('ends with the sign-out of another tab (key %s)', async (key) => {
    window.localStorage.clear();
    window.dispatchEvent(new StorageEvent('storage', { key, newValue: null }));
    expect(session.state()).toEqual({ status: 'anonymous', ended: { user: clientAdmin, by: 'otherTab' } });
  });

  it('keeps the session of a person who has signed in meanwhile', () => {
    storePair(tokenOf(bo), 'refresh-of-bo');
    window.dispatchEvent(new StorageEvent('storage', { key: 'accessToken', newValue: null }));
    expect(storedPair()).toEqual([tokenOf(bo), 'refresh-of-bo']);
  });

  it('is over where its token is gone', async () => {
    window.localStorage.removeItem('accessToken');
    await expect(session.accessToken()).rejects.toMatchObject({ status: 401 });
    expect(session.state()).toMatchObject({ status: 'anonymous', ended: { by: 'server' } });
  });

  it('says nothing after a sign-out', async () => {
    await session.signOut();
    expect(session.state()).toEqual({ status: 'anonymous' });
  });
});
