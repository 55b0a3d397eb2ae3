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

/** Responds to each renewal with the next pair. */
function renews() {
  let refreshes = 0;
  server.use(
    http.post('/auth/refresh', ({ response }) => {
      refreshes += 1;
      return response(200).json({ token: tokenOf(anna, { id: 2 }), refreshToken: 'refresh-2' });
    }),
  );
  return () => refreshes;
}

describe('renewEarly', () => {
  afterEach(() => void vi.useRealTimers());

  it('leaves a token alone while more than half of its time is left', async () => {
    const refreshes = renews();
    storeTokenThatEnds(460);
    session.renewEarly();
    expect(await session.accessToken()).toBe(window.localStorage.getItem('accessToken'));
    expect(refreshes()).toBe(0);
  });

  it('renews a token of which less than a tenth is left, once, and nobody waits for it', async () => {
    const refreshes = renews();
    const old = storeTokenThatEnds(89);
    session.renewEarly();
    session.renewEarly();
    expect(await session.accessToken()).toBe(old);
    await vi.waitFor(() => expect(window.localStorage.getItem('refreshToken')).toBe('refresh-2'));
    session.renewEarly();
    expect(refreshes()).toBe(1);
  });

  it('tries again half a minute after it failed, and signs nobody out', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    storeTokenThatEnds(89);
    let asked = 0;
    server.use(
      http.post('/auth/refresh', ({ response }) => {
        asked += 1;
        return response.untyped(HttpResponse.error());
      }),
    );
    session.renewEarly();
    await expect(session.renewedToken()).rejects.toMatchObject({ code: 'unreachable' });
    session.renewEarly();
    vi.setSystemTime(Date.now() + 29_000);
    session.renewEarly();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(asked).toBe(1);
    vi.setSystemTime(Date.now() + 1_000);
    session.renewEarly();
    await vi.waitFor(() => expect(asked).toBe(2));
    expect(window.localStorage.getItem('refreshToken')).toBe('refresh-1');
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

  it('does not lend its id to who signs in next', async () => {
    isLost = 'at once';
    await expect(session.accessToken()).rejects.toMatchObject({ code: 'unreachable' });
    server.use(
      http.post('/auth/end-user/login', ({ response }) =>
        response(200).json({
          token: tokenOf({ sub: 'bo', sid: 'sign-in-of-bo' }),
          refreshToken: 'refresh-of-bo',
          deviceToken: 'device-of-bo',
          user: voter,
        }),
      ),
    );
    await session.signInEndUser({ clientCode: 'riverside', username: 'bo', password: 'x' });
    isLost = false;
    await session.renewedToken();
    expect(ids[1]).not.toBe(ids[0]);
  });
});
