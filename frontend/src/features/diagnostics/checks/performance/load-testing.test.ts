import { HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { withFakePlenum } from '../../../../test/diagnostic-run';
import { loadTesting } from './load-testing';

const { fake, run } = withFakePlenum();

it('counts what was sent, and finds every vote stored', async () => {
  const result = await run(loadTesting);
  expect(result.message).toMatch(
    /^240 requests in 5 concurrent batches, 30 of them votes: .* counted exactly once\.$/,
  );
  expect(result.status).toBe('success');
  expect(result.details).toMatchObject({ answers: { 200: 210, 201: 30 }, tallyDifferences: [] });
  expect(fake().meetings).toEqual([]);
  expect(fake().endUsers).toEqual([]);
});

it('works in a test client where a super administrator runs it', async () => {
  expect((await run(loadTesting, 'SUPER_ADMIN')).status).toBe('success');
  expect(fake().clients).toHaveLength(1);
});

it('is red when the server fails once, and names the call', async () => {
  let failures = 1;
  fake().sick = ({ path }) => {
    if (path === '/voting/meetings' && failures > 0) {
      failures -= 1;
      return HttpResponse.json({ error: 'Out of order.', code: 'internal' }, { status: 500 });
    }
    return undefined;
  };
  const result = await run(loadTesting);
  expect(result.status).toBe('error');
  expect(result.message).toBe(
    '1 of 240 requests in 5 concurrent batches failed: GET /voting/meetings answered 500 internal: Out of order. Check the server log before the meeting.',
  );
});

it('is red when an answer does not come', async () => {
  let failures = 1;
  fake().sick = ({ path }) => {
    if (path === '/voting/meetings' && failures > 0) {
      failures -= 1;
      return HttpResponse.error();
    }
    return undefined;
  };
  const result = await run(loadTesting);
  expect(result.status).toBe('error');
  expect(result.details).toMatchObject({ answers: { 'no answer': 1 } });
});

it('is red when a vote that was confirmed is not stored', async () => {
  let lost = 1;
  fake().sick = (call) => {
    if (call.path.endsWith('/vote') && lost > 0) {
      lost -= 1;
      return HttpResponse.json(
        { success: true, vote: { id: 'v', answers: call.body.answers } },
        { status: 201 },
      );
    }
    return undefined;
  };
  const result = await run(loadTesting);
  expect(result.status).toBe('error');
  expect(result.message).toMatch(
    /^Under load, the tally does not match the votes sent: “TEST_First burst”: All votes together: 9 /,
  );
});

it('hands in again what got no clear answer, and does not take it for a lost vote', async () => {
  let failures = 1;
  fake().sick = (call) => {
    if (call.path.endsWith('/vote') && failures > 0) {
      failures -= 1;
      fake().answer(call);
      return HttpResponse.json({ error: 'Busy.' }, { status: 503 });
    }
    return undefined;
  };
  const result = await run(loadTesting);
  expect(result.message).toMatch(/^1 of 240 requests .* answered 503/);
  expect(result.details).toMatchObject({ tallyDifferences: [] });
});

it('is amber, then red, by the time of one request in twenty, and says where it goes', async () => {
  fake().latencyOf = ({ path }) => (path.startsWith('/voting') ? 150 : 1);
  const moderate = await run(loadTesting);
  expect(moderate.message).toContain('one request in twenty takes 500 ms or more. The server itself is slow');
  expect(moderate.status).toBe('warning');
  fake().latencyOf = ({ path }) => (path.startsWith('/voting') ? 500 : 1);
  fake().databaseMs = 120;
  const slow = await run(loadTesting);
  expect(slow.message).toContain('1000 ms or more. The database is slow: one statement takes 120 ms');
  expect(slow.status).toBe('error');
});
