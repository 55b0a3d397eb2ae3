import { HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { withFakePlenum } from '../../../../test/diagnostic-run';
import { concurrentUsers } from './concurrent-users';

const { fake, run } = withFakePlenum();

const busy = () => HttpResponse.json({ error: 'Busy.', code: 'temporarily_unavailable' }, { status: 503 });

/** This many calls to matching addresses fail. */
function failing(times: number, path: RegExp): void {
  let left = times;
  fake().sick = (call) => {
    if (!path.test(call.path) || left === 0) {
      return undefined;
    }
    left -= 1;
    return busy();
  };
}

it('lets three users do three actions each', async () => {
  const result = await run(concurrentUsers);
  expect(result.message).toMatch(/^9 of 9 actions succeeded \(100 %\): 3 users, 3 actions each, at once\./);
  expect(result.status).toBe('success');
});

it('is amber at 80 percent or more, and names what failed', async () => {
  failing(1, /^\/voting\/meetings$/);
  const result = await run(concurrentUsers);
  expect(result.message).toMatch(
    /^8 of 9 actions succeeded \(88\.9 %\)\. User \d could not list the meetings: GET \/voting\/meetings answered 503 temporarily_unavailable: Busy\. /,
  );
  expect(result.status).toBe('warning');
});

it('is red below 80 percent', async () => {
  failing(2, /^\/voting\/meetings$/);
  expect((await run(concurrentUsers)).status).toBe('error');
});

it('is red where one of them cannot sign in: three actions are lost', async () => {
  failing(1, /^\/auth\/end-user\/login$/);
  const result = await run(concurrentUsers);
  expect(result.message).toMatch(
    /^6 of 9 actions succeeded \(66\.7 %\)\. User \d could not list the meetings: could not sign in/,
  );
  expect(result.status).toBe('error');
});

it('counts a success whose content is wrong as a failure', async () => {
  fake().sick = ({ path }) =>
    path === '/voting/meetings' ? HttpResponse.json({ success: true, meetings: [] }) : undefined;
  const result = await run(concurrentUsers);
  expect(result.message).toContain('the running meeting is not in the list');
  expect(result.status).toBe('error');
});

it('is red whatever the rate when the tally is another one', async () => {
  fake().sick = (call) => {
    if (call.path.endsWith('/count')) {
      const [round] = fake().rounds;
      const result = round ? fake().result(round) : {};
      return HttpResponse.json({ ...result, votesCast: { heads: 4, weight: 9 } });
    }
    return undefined;
  };
  const result = await run(concurrentUsers);
  expect(result.message).toMatch(
    /^The tally does not match the votes sent: .*All votes together: 4 with a weight of 9 instead of 3/,
  );
  expect(result.status).toBe('error');
});
