import { HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { withFakePlenum } from '../../../../test/diagnostic-run';
import { sqlInjection } from './sql-injection';

const { fake, run } = withFakePlenum();

const TAUTOLOGY = "' OR '1'='1";

it('is green where all is taken as text, with few failed sign-ins', async () => {
  const result = await run(sqlInjection);
  expect(result.message).toMatch(
    /^24 payloads in sign-in, search, parameters, addresses and texts \(\d+ calls\): all were taken/,
  );
  expect(result.status).toBe('success');
  const signIns = fake().calls.filter(({ path, body }) => path.endsWith('/login') && !isGood(body));
  expect(signIns.length).toBeLessThanOrEqual(5);
});

/** The credentials of the test's voter who signs in. */
function isGood({ username, password }: Record<string, unknown>): boolean {
  return /^TEST_voter_[0-9a-z]+_\d+$/.test(String(username)) && String(password).length === 12;
}

it('searches the lists of the platform as well in the admin portal', async () => {
  const result = await run(sqlInjection, 'SUPER_ADMIN');
  expect(result.status).toBe('success');
  expect(
    fake().calls.some(({ path, query }) => path === '/accounts' && query.get('search') === TAUTOLOGY),
  ).toBe(true);
});

it('puts nothing into calls that delete, and changes nothing but by an id of its own', async () => {
  await run(sqlInjection);
  const others = fake().calls.filter(({ method }) => method === 'DELETE' || method === 'PUT');
  for (const { path, body } of others) {
    expect(path).not.toMatch(/'|%27/);
    expect(JSON.stringify(body)).not.toContain('=');
  }
});

it('is red where a search lists what does not contain its text', async () => {
  const plenum = fake();
  plenum.sick = (call) => {
    if (call.path === '/client/end-users' && call.query.get('search') === TAUTOLOGY) {
      call.query.delete('search');
    }
    return undefined;
  };
  const result = await run(sqlInjection);
  expect(result.message).toMatch(
    /^search of GET \/client\/end-users with ' OR '1'='1 \(tautology\) listed 2 rows that do not contain the text\. Do not use/,
  );
  expect(result.status).toBe('error');
});

it.each(['%', '_'])('is red where %s is no letter in a search', async (wildcard) => {
  fake().sick = (call) => {
    if (call.path === '/client/meetings' && call.query.get('search') === wildcard) {
      call.query.delete('search');
      return HttpResponse.json({ data: [{ title: 'Board' }], meta: { page: 1, pageSize: 200, total: 1 } });
    }
    return undefined;
  };
  const result = await run(sqlInjection);
  expect(result.message).toContain('(wildcard) listed 1 rows');
});

it('is red where a quote makes the server fail', async () => {
  fake().sick = ({ path, query }) =>
    path === '/client/meetings' && query.get('search')?.includes("'")
      ? HttpResponse.json({ error: 'Something went wrong.' }, { status: 500 })
      : undefined;
  const result = await run(sqlInjection);
  expect(result.message).toContain(
    "search of GET /client/meetings with ' (quote) the server failed with 500",
  );
  expect(result.status).toBe('error');
});

it('is red where a sign-in lets somebody in', async () => {
  fake().sick = ({ path, body }) =>
    path === '/auth/end-user/login' && String(body.password) === TAUTOLOGY
      ? HttpResponse.json({ token: 'x' })
      : undefined;
  const result = await run(sqlInjection);
  expect(result.message).toContain('password of POST /auth/end-user/login with');
  expect(result.message).toContain('answered 200 instead of 401 or 422');
  expect(result.status).toBe('error');
});

it('is red where an address with SQL behind its id finds something', async () => {
  const plenum = fake();
  plenum.sick = ({ path }) =>
    /^\/client\/meetings\/[^/]*'[^/]*$/.test(path) ? HttpResponse.json(plenum.meetings[0]) : undefined;
  const result = await run(sqlInjection);
  expect(result.message).toContain('id in GET /client/meetings/{id} with');
  expect(result.status).toBe('error');
});

it('is red where a sleeping payload sleeps each time, and not where one answer is late', async () => {
  const isSleeping = ({ path, query }: { path: string; query: URLSearchParams }) =>
    path === '/client/end-users' && Boolean(query.get('search')?.startsWith("'; SELECT pg_sleep"));
  let late = 1;
  fake().latencyOf = (call) => {
    if (isSleeping(call) && late > 0) {
      late -= 1;
      return 2000;
    }
    return 1;
  };
  expect((await run(sqlInjection)).status).toBe('success');
  fake().latencyOf = (call) => (isSleeping(call) ? 2000 : 1);
  const result = await run(sqlInjection);
  expect(result.message).toMatch(
    /\(sleeping\) was answered after 20\d\d ms, a harmless text after \d+ ms: the database executed the pause/,
  );
  expect(result.status).toBe('error');
});

it('is red where a stacked statement works', async () => {
  const plenum = fake();
  plenum.sick = ({ query }) => {
    const canary = /DELETE FROM end_users WHERE username = '(.*)'/.exec(query.get('search') ?? '')?.[1];
    plenum.endUsers = plenum.endUsers.filter(({ username }) => username !== canary);
    return undefined;
  };
  const result = await run(sqlInjection);
  expect(result.message).toContain('Test data (an end user) were changed');
  expect(result.status).toBe('error');
});

it('is red where the tables are others afterwards, and not where they were so before', async () => {
  let asked = 0;
  const differs = (differences: string[]) => HttpResponse.json({ isValid: false, details: { differences } });
  fake().sick = ({ path }) => (path === '/test/schema' ? differs(['The index x is missing.']) : undefined);
  expect((await run(sqlInjection)).status).toBe('success');
  fake().sick = ({ path }) => {
    asked += path === '/test/schema' ? 1 : 0;
    return path === '/test/schema' ? differs(asked > 1 ? ['The table votes is missing.'] : []) : undefined;
  };
  const result = await run(sqlInjection);
  expect(result.message).toContain('The tables of the database were changed: The table votes is missing.');
  expect(result.status).toBe('error');
});

it('is red where a text is stored otherwise', async () => {
  fake().sick = (call) => {
    if (call.method === 'POST' && call.path === '/client/questions') {
      call.body.questionText = String(call.body.questionText).replaceAll("'", '’');
    }
    return undefined;
  };
  const result = await run(sqlInjection);
  expect(result.message).toContain('A text was not stored exactly');
  expect(result.status).toBe('error');
});

it('is amber where something in front of the server refuses such texts', async () => {
  fake().sick = ({ query }) =>
    query.get('search')?.includes('UNION') ? HttpResponse.text('Forbidden', { status: 403 }) : undefined;
  const result = await run(sqlInjection);
  expect(result.message).toContain('Nothing got through, but search of GET /client/end-users with');
  expect(result.status).toBe('warning');
});

it('is amber where there are fewer rows afterwards than before', async () => {
  const plenum = fake();
  let counted = 0;
  plenum.sick = ({ path, query }) => {
    const isCounting = path === '/client/meetings' && query.get('pageSize') === '1' && !query.has('search');
    counted += isCounting ? 1 : 0;
    return isCounting
      ? HttpResponse.json({ data: [], meta: { page: 1, pageSize: 1, total: counted === 1 ? 40 : 3 } })
      : undefined;
  };
  const result = await run(sqlInjection);
  expect(result.message).toContain('GET /client/meetings has 3 rows, and had 40 before');
  expect(result.status).toBe('warning');
});
