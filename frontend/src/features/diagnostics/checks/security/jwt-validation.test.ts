import { HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { partsOf } from '../../../../shared/diagnostics/parts/forged-tokens';
import { withFakePlenum } from '../../../../test/diagnostic-run';
import { jwtValidation } from './jwt-validation';

const { fake, run } = withFakePlenum();

it('finds that a healthy server refuses all, with good tokens that work', async () => {
  const result = await run(jwtValidation);
  expect(result.message).toMatch(
    /^All 29 kinds of bad tokens were refused in \d+ calls, .* cannot be tried from here\.$/,
  );
  expect(result.status).toBe('success');
});

it("tries a super administrator's token as well in the admin portal", async () => {
  const result = await run(jwtValidation, 'SUPER_ADMIN');
  expect(result.message).toMatch(/good tokens work\.$/);
  expect(result.status).toBe('success');
});

it('is red where good tokens are refused: every refusal would be a false green', async () => {
  fake().sick = ({ path }) =>
    path === '/test/auth' ? HttpResponse.json({ error: 'No.', code: 'x' }, { status: 401 }) : undefined;
  const result = await run(jwtValidation);
  expect(result.message).toContain('Checking that valid tokens are accepted: GET /test/auth answered 401');
  expect(result.status).toBe('error');
});

/** A server that accepts tokens which a correct one refuses. */
const SICK: [string, (token: string) => boolean, RegExp][] = [
  [
    'alg: none',
    (token) => partsOf(token)?.header.alg === 'none',
    /\(alg: none, empty signature, CLIENT\) was let in/,
  ],
  [
    'a changed role',
    (token) => partsOf(token)?.claims.role === 'SUPER_ADMIN',
    /\(changed role, CLIENT\) was let in/,
  ],
  ['garbage', (token) => token.startsWith('not-a-token'), /\(garbage, CLIENT\) was let in/],
];

it.each(SICK)('is red where %s is let in, and says where', async (_, isTaken, message) => {
  const plenum = fake();
  plenum.readToken = (token, healthy) =>
    isTaken(token) ? { role: 'CLIENT', id: 'x', clientId: plenum.clients[0]?.id ?? null } : healthy(token);
  const result = await run(jwtValidation);
  expect(result.message).toMatch(message);
  expect(result.message).toContain('Do not use this installation');
  expect(result.status).toBe('error');
});

it('is red where only the stream takes what has expired', async () => {
  const plenum = fake();
  plenum.sick = (call) =>
    call.path.endsWith('/stream') && !call.person ? HttpResponse.text('data: {}') : undefined;
  const result = await run(jwtValidation);
  expect(result.message).toMatch(/was let in \(200\) at GET \/sse\/meetings\/.*\/stream/);
  expect(result.status).toBe('error');
});

it('is red where a refusal has another status or code', async () => {
  fake().sick = (call) =>
    call.path === '/voting/meetings' && !call.person
      ? HttpResponse.json({ error: 'No.', code: 'invalid_token' }, { status: 401 })
      : undefined;
  const result = await run(jwtValidation);
  expect(result.message).toContain('at GET /voting/meetings');
  expect(result.status).toBe('error');
});

it('is red where a refusal brings data along', async () => {
  fake().sick = (call) =>
    call.path === '/voting/meetings' && !call.person
      ? HttpResponse.json({ error: 'No.', code: 'authentication_required', meetings: [] }, { status: 401 })
      : undefined;
  expect((await run(jwtValidation)).message).toContain('still sent data (meetings)');
});

it.each(['CLIENT', 'SUPER_ADMIN'] as const)(
  'is red where only streams take what has expired, in the portal of %s',
  async (portal) => {
    const plenum = fake();
    let isExpired = false;
    plenum.readToken = (token, healthy) => {
      isExpired = Number(partsOf(token)?.claims.exp) * 1000 < Date.now();
      return healthy(token);
    };
    plenum.sick = ({ path }) =>
      path.endsWith('/stream') && isExpired ? HttpResponse.text('data: {}') : undefined;
    const result = await run(jwtValidation, portal);
    expect(result.message).toMatch(
      /\(expired, CLIENT\) was let in \(200\) at GET \/sse\/meetings\/.*\/stream/,
    );
    expect(result.status).toBe('error');
  },
);

/**
 * A server whose instances accept tokens of ended sessions for this many calls. Every `among`-th call reaches such an
 * instance.
 */
function endingLate(calls: number, among = 1): void {
  const ended = new Set<string>();
  const hasEnded = (sid: string) => Set.prototype.has.call(ended, sid);
  let asked = 0;
  let taken = 0;
  const has = (sid: string) => {
    if (!hasEnded(sid)) {
      return false;
    }
    asked += 1;
    const isLate = asked % among === 0 && taken < calls;
    taken += isLate ? 1 : 0;
    return !isLate;
  };
  fake().endedSessions = Object.assign(ended, { has });
}

it('is red where a session goes on after signing out', async () => {
  endingLate(Number.POSITIVE_INFINITY);
  const result = await run(jwtValidation);
  expect(result.message).toContain('(signed out, END_USER) was let in');
  expect(result.status).toBe('error');
});

it('is amber where it goes on for less than a minute, as other instances let it', async () => {
  // Eight calls use it: all of them are accepted at first, and one a second time.
  endingLate(9);
  const result = await run(jwtValidation);
  expect(result.message).toContain('a session that was ended went on for 10 seconds');
  expect(result.details).toMatchObject({ problems: [] });
  expect(result.status).toBe('warning');
});

it('is amber where one instance refuses at once and the one behind the next call is late', async () => {
  endingLate(3, 2);
  const result = await run(jwtValidation);
  expect(result.message).toContain('a session that was ended went on for 5 seconds');
  expect(result.status).toBe('warning');
});
