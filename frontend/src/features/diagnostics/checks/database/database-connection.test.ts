import { HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { withFakePlenum } from '../../../../test/diagnostic-run';
import { databaseConnection } from './database-connection';

const { fake, run } = withFakePlenum();

let ready: () => Response;
function healthy(statementMs: number, connections = 2): void {
  ready = () => HttpResponse.json({ status: 'ready' });
  fake().sick = ({ path }) => {
    if (path === '/health/ready') {
      return ready();
    }
    return path === '/test/database'
      ? HttpResponse.json({
          success: true,
          details: { serverVersion: '18.4', latencyMs: statementMs, connections, maxConnections: 8 },
        })
      : undefined;
  };
}

it('is green where statements and calls are fast, and gives the numbers', async () => {
  healthy(0.3);
  const result = await run(databaseConnection);
  expect(result.message).toBe('PostgreSQL 18.4 answers: one statement takes 0.3 ms, the whole call 1 ms.');
  expect(result.status).toBe('success');
  expect(result.details).toMatchObject({
    connections: 2,
    maxConnections: 8,
    statementMs: Array(5).fill(0.3),
  });
});

it.each([
  [49, 'success'],
  [50, 'warning'],
  [249, 'warning'],
  [250, 'error'],
])('takes %d ms for a statement as %s, and names the database', async (statementMs, status) => {
  healthy(statementMs);
  fake().latencyOf = ({ path }) => (path === '/test/database' ? statementMs + 1 : 2);
  const result = await run(databaseConnection);
  expect(result.status).toBe(status);
  if (status !== 'success') {
    expect(result.message).toContain(
      'The database is slow, not the network (a call that needs no database takes 2 ms). Check the load of the database server',
    );
  }
});

it.each([
  [499, 'success'],
  [500, 'warning'],
  [999, 'warning'],
  [1000, 'error'],
])('takes %d ms for the whole call as %s, and names the network', async (ms, status) => {
  healthy(0.3);
  fake().latencyOf = () => ms;
  const result = await run(databaseConnection);
  expect(result.status).toBe(status);
  if (status !== 'success') {
    expect(result.message).toContain("The network or Plenum's own machine is slow, not the database");
  }
});

it('names connections that are all in use', async () => {
  healthy(0.3, 8);
  fake().latencyOf = ({ path }) => (path === '/test/database' ? 700 : 2);
  const result = await run(databaseConnection);
  expect(result.status).toBe('warning');
  expect(result.message).toContain('All 8 connections to the database are in use');
});

it('does not take one slow statement of five for a slow database', async () => {
  healthy(0.3);
  let calls = 0;
  fake().latencyOf = ({ path }) => {
    calls += path === '/test/database' ? 1 : 0;
    return path === '/test/database' && calls === 1 ? 3000 : 1;
  };
  expect((await run(databaseConnection)).status).toBe('success');
});

it('is amber where the database answers and the installation is not ready, with the reason', async () => {
  healthy(0.3);
  ready = () =>
    HttpResponse.json(
      { status: 'not_ready', code: 'temporarily_unavailable', reason: 'The database lacks migrations: one.' },
      { status: 503 },
    );
  const result = await run(databaseConnection);
  expect(result.status).toBe('warning');
  expect(result.message).toBe(
    'PostgreSQL 18.4 answers: one statement takes 0.3 ms, the whole call 1 ms. But the installation reports that it is not ready: The database lacks migrations: one. Run the other database tests.',
  );
  ready = () => new HttpResponse('<html>Welcome to nginx</html>');
  expect(await run(databaseConnection)).toMatchObject({
    status: 'warning',
    details: { notReady: 'GET /health/ready answered 200' },
  });
});

it('is red where somebody else answers in the place of the server', async () => {
  healthy(0.3);
  const own = fake().sick;
  fake().sick = (call) =>
    call.path === '/test/database' ? new HttpResponse('<html>Welcome to nginx</html>') : own(call);
  expect((await run(databaseConnection)).status).toBe('error');
});

it('is red where the database is down', async () => {
  healthy(0.3);
  const own = fake().sick;
  fake().sick = (call) =>
    call.path === '/test/database'
      ? HttpResponse.json({ error: 'Try again in a moment.' }, { status: 503 })
      : own(call);
  const result = await run(databaseConnection);
  expect(result.status).toBe('error');
  expect(result.message).toBe(
    'Test failed: GET /test/database answered 503 instead of 200: Try again in a moment.',
  );
});
