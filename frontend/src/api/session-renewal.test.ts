import { delay, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { voter } from '../test/people';
import { http, server } from '../test/server';
import { tokenOf } from '../test/tokens';
import { session } from './session';

const anna = { sub: 'anna', sid: 'sign-in-of-anna' };

function storeTokenThatEnds(endsInSeconds: number): string {
  const token = tokenOf(anna, { endsInSeconds });
  window.localStorage.setItem('accessToken', token);
  window.localStorage.setItem('refreshToken', 'refresh-1');
  return token;
}

/** Lets the server sign in the next person with this token. */
function signsIn(token: string) {
  server.use(
    http.post('/auth/end-user/login', ({ response }) =>
      response(200).json({ token, refreshToken: 'refresh-1', deviceToken: 'device', user: voter }),
    ),
  );
  return session.signInEndUser({ clientCode: 'riverside', username: 'x', password: 'x' });
}

describe('renewEarly', () => {
  let start = Date.now();
  let asked: number;
  let isLost: boolean;

  function secondsPass(seconds: number) {
    vi.setSystemTime(Date.now() + seconds * 1000);
  }

  const settled = () => new Promise((resolve) => setTimeout(resolve, 50));

  beforeEach(async () => {
    [asked, isLost] = [0, false];
    server.use(
      http.post('/auth/refresh', ({ response }) => {
        asked += 1;
        return isLost
          ? response.untyped(HttpResponse.error())
          : response(200).json({ token: tokenOf(anna, { id: 2 }), refreshToken: 'refresh-2' });
      }),
    );
    vi.useFakeTimers({ toFake: ['Date'] });
    // After the pause of the last test's early renewal.
    start += 3_600_000;
    vi.setSystemTime(start);
    await signsIn(tokenOf(anna));
  });
  afterEach(() => void vi.useRealTimers());

  it('leaves a token alone while more than half of its lifetime is left', async () => {
    secondsPass(449);
    session.renewEarly();
    await settled();
    expect(asked).toBe(0);
  });

  it('renews a token of which less than a tenth is left, once, and nobody waits for it', async () => {
    const old = window.localStorage.getItem('accessToken');
    secondsPass(811);
    session.renewEarly();
    session.renewEarly();
    expect(await session.accessToken()).toBe(old);
    await vi.waitFor(() => expect(window.localStorage.getItem('refreshToken')).toBe('refresh-2'));
    session.renewEarly();
    await settled();
    expect(asked).toBe(1);
  });

  it('tries again half a minute later if it failed, and signs nobody out', async () => {
    isLost = true;
    secondsPass(811);
    session.renewEarly();
    await settled();
    secondsPass(29);
    session.renewEarly();
    await settled();
    expect(asked).toBe(1);
    secondsPass(1);
    session.renewEarly();
    await vi.waitFor(() => expect(asked).toBe(2));
    await settled();
    expect(window.localStorage.getItem('refreshToken')).toBe('refresh-1');
  });

  it('leaves a token alone that belongs to whoever signed in in another tab', async () => {
    window.localStorage.setItem('accessToken', tokenOf({ sub: 'bo' }, { endsInSeconds: 40 }));
    session.renewEarly();
    await settled();
    expect(asked).toBe(0);
  });
});

describe('a renewal whose response is lost', () => {
  let ids: (string | undefined)[];
  let isLost: 'at once' | 'stalled' | false;

  beforeEach(() => {
    ids = [];
    storeTokenThatEnds(10);
    server.use(
      http.post('/auth/refresh', async ({ request, response }) => {
        ids.push((await request.json()).renewalId ?? undefined);
        if (isLost === 'stalled') {
          await delay('infinite');
        }
        return isLost
          ? response.untyped(HttpResponse.error())
          : response(200).json({
              token: tokenOf(anna, { endsInSeconds: 10, id: ids.length }),
              refreshToken: `refresh-of-anna-${ids.length}`,
            });
      }),
    );
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('is repeated under the same id, and the next one has another', async () => {
    isLost = 'at once';
    await expect(session.accessToken()).rejects.toMatchObject({ code: 'unreachable' });
    await expect(session.accessToken()).rejects.toMatchObject({ code: 'unreachable' });
    isLost = false;
    await session.accessToken();
    await session.renewedToken();
    const [first, ...others] = ids;
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(others.slice(0, 2)).toEqual([first, first]);
    expect(others[2]).toMatch(/^[0-9a-f-]{36}$/);
    expect(others[2]).not.toBe(first);
  });

  it('is given up after 10 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    isLost = 'stalled';
    const token = session.accessToken().catch((error: unknown) => error);
    await vi.waitFor(() => expect(ids).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await token).toMatchObject({ code: 'unreachable' });
    isLost = false;
    await session.accessToken();
    expect(ids[1]).toBe(ids[0]);
  });

  it('is not repeated under its id by the next person', async () => {
    isLost = 'at once';
    await expect(session.accessToken()).rejects.toMatchObject({ code: 'unreachable' });
    await signsIn(tokenOf({ sub: 'bo', sid: 'sign-in-of-bo' }));
    isLost = false;
    await session.renewedToken();
    expect(ids[1]).not.toBe(ids[0]);
  });
});
