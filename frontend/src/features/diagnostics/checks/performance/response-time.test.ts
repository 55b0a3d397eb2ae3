import { HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { withFakePlenum } from '../../../../test/diagnostic-run';
import { responseTime } from './response-time';

const { fake, run } = withFakePlenum();

const STATS = '/client/end-users/stats';

it('calls each endpoint five times beside a warm-up', async () => {
  const result = await run(responseTime);
  expect(result.status).toBe('success');
  expect(result.message).toMatch(
    /^15 endpoints, 5 calls each\. The slowest is GET .* \(p50 1 ms, p95 1 ms\): fast\.$/,
  );
  expect(fake().calls.filter(({ path }) => path === STATS)).toHaveLength(6);
});

it("calls the platform's endpoints as well where a super administrator runs it", async () => {
  const result = await run(responseTime, 'SUPER_ADMIN');
  expect(result.status).toBe('success');
  expect(JSON.stringify(result.details)).toContain('GET /sessions/stats');
});

it.each([
  [499, 'success', 'fast'],
  [500, 'warning', 'moderate'],
  [999, 'warning', 'moderate'],
  [1000, 'error', 'slow'],
])('takes %i ms for a %s, because it is %s, and names the endpoint', async (ms, status, word) => {
  fake().latencyOf = ({ path }) => (path === STATS ? ms : 1);
  const result = await run(responseTime);
  expect(result.message).toContain(`The slowest is GET ${STATS} (p50 ${ms} ms, p95 ${ms} ms): ${word}.`);
  expect(result.status).toBe(status);
});

it('does not count the warm-up, and only reports one late answer of five', async () => {
  let calls = 0;
  fake().latencyOf = ({ path }) => {
    calls += path === STATS ? 1 : 0;
    return path === STATS && calls === 1 ? 5000 : 1;
  };
  expect((await run(responseTime)).status).toBe('success');
  calls = -1;
  const result = await run(responseTime);
  expect(result.status).toBe('success');
  expect(result.message).toContain(`Now and then GET ${STATS} took 500 ms or more.`);
});

it('separates the network, the database and the server', async () => {
  fake().latencyOf = () => 700;
  expect((await run(responseTime)).message).toContain('The connection to the server is slow: /health');
  fake().latencyOf = ({ path }) => (path === STATS ? 700 : 5);
  fake().databaseMs = 80;
  expect((await run(responseTime)).message).toContain('The database is slow: one statement takes 80 ms');
  fake().databaseMs = 1;
  expect((await run(responseTime)).message).toContain('The server itself is slow');
});

it.each([
  [49, 'success'],
  [50, 'warning'],
  [250, 'error'],
])('looks at a database that takes %i ms a statement also where all is fast: %s', async (ms, status) => {
  fake().databaseMs = ms;
  const result = await run(responseTime);
  expect(result.status).toBe(status);
});

it('is red where an endpoint does not work, however fast', async () => {
  fake().sick = ({ path }) =>
    path === STATS ? HttpResponse.json({ error: 'No.', code: 'x' }, { status: 503 }) : undefined;
  const result = await run(responseTime);
  expect(result.status).toBe('error');
  expect(result.message).toMatch(/^GET \/client\/end-users\/stats answered 503 x: No\./);
});
