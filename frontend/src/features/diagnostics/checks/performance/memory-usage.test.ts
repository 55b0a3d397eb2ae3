import { HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { withFakePlenum } from '../../../../test/diagnostic-run';
import { memoryUsage } from './memory-usage';

const { fake, run } = withFakePlenum();

const MB = 1024 * 1024;
const ROUND = 212;

/** The server's memory in megabytes grows by these numbers after each round of work. Readings are not work. */
function growing(byRound: number[]): void {
  let work = 0;
  fake().latencyOf = ({ path }) => {
    work += /^\/(voting|public|sse|client\/(end-users|meetings)$|client\/.*\/results)/.test(path) ? 1 : 0;
    return 1;
  };
  fake().residentBytes = () => {
    const rounds = Math.floor(work / ROUND);
    return (100 + byRound.slice(0, rounds).reduce((sum, more) => sum + more, 0)) * MB;
  };
}

it('is green where the server needs no more after the work, whatever its warm-up took', async () => {
  growing([40, 20, 1]);
  const result = await run(memoryUsage, 'SUPER_ADMIN');
  expect(result.message).toBe(
    'The server uses 160 MB before and 161 MB after (200 requests and 12 streams a round, after 2 rounds of warm-up): an increase of 1 MB, which is good (under 5 MB).',
  );
  expect(result.status).toBe('success');
});

it('works further where the first round took more, and is green once a round does not', async () => {
  growing([0, 0, 8, 0]);
  const result = await run(memoryUsage, 'SUPER_ADMIN');
  expect(result.status).toBe('success');
  expect(result.message).toContain('it does not keep growing');
  expect(result.details).toMatchObject({ increaseOfEachRound: [8, 0] });
});

it.each([
  [5, 'warning', 'which is moderate (under 10 MB)'],
  [10, 'error', 'The server does not release memory'],
])('takes %i MB more in each round for a %s', async (more, status, words) => {
  growing([0, 0, more, more, more]);
  const result = await run(memoryUsage, 'SUPER_ADMIN');
  expect(result.message).toContain(`it grew in each of 3 rounds, by ${more} MB at least`);
  expect(result.message).toContain(words);
  expect(result.status).toBe(status);
});

it('is red where the server cannot say what it uses', async () => {
  fake().sick = ({ path }) =>
    path === '/test/memory' ? HttpResponse.json({ success: true, details: { residentBytes: 0 } }) : undefined;
  const result = await run(memoryUsage, 'SUPER_ADMIN');
  expect(result.status).toBe('error');
  expect(result.message).toContain('does not report its memory use');
});

it('works without readings in the client portal, and says who can read the memory', async () => {
  const paths: string[] = [];
  fake().latencyOf = ({ path }) => {
    paths.push(path);
    return 1;
  };
  const result = await run(memoryUsage);
  expect(result.message).toBe(
    'The server answered all 600 requests and 36 streams. Only a super administrator can read its memory, by the same test in the admin portal.',
  );
  expect(result.status).toBe('success');
  expect(paths).not.toContain('/test/memory');
  expect(paths.filter((path) => path.endsWith('/stream'))).toHaveLength(36);
});

it('is red in the client portal where a request fails', async () => {
  fake().sick = ({ path }) =>
    path.endsWith('/results') ? new HttpResponse(null, { status: 500 }) : undefined;
  const result = await run(memoryUsage);
  expect(result.status).toBe('error');
  expect(result.message).toContain('answered 500 instead of 200');
});
