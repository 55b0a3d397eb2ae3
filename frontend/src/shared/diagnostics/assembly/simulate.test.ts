import { HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { withFakeMeetings } from '../../../test/fake-meetings';
import type { Diagnostic } from '../run/diagnostic';
import type { AssemblyFigures } from './measurements';
import { simulateAssembly } from './simulate';

const { fake, meetings, run } = withFakeMeetings();

const assembly: Diagnostic = {
  name: 'Simulated run',
  about: '',
  run: (running) => simulateAssembly(running, { voters: 10, register: 180 }),
};

const busy = () => HttpResponse.json({ error: 'Busy.', code: 'temporarily_unavailable' }, { status: 503 });

it('says that the assembly can be held, with figures, and leaves nothing behind', async () => {
  const result = await run(assembly);
  expect(result.message).toMatch(/^Ready\. 10 simulated voters signed in/);
  expect(result.status).toBe('success');
  expect(result.details).toMatchObject({
    voters: 10,
    register: 180,
    votesSent: 50,
    votesCounted: 50,
    differences: [],
    failures: [],
  } satisfies Partial<AssemblyFigures>);
  expect(fake().meetings).toEqual([]);
  expect(fake().endUsers).toEqual([]);
});

it('seals the votes on a secret question, and compares their receipts', async () => {
  await run(assembly);
  const sealed = fake().calls.filter(({ body }) => body.envelope !== undefined);
  expect(sealed.length).toBeGreaterThanOrEqual(10);
  expect(sealed.every(({ body }) => body.answers === undefined)).toBe(true);
  meetings().sick = ({ body, path }) =>
    path.endsWith('/vote') && body.envelope
      ? HttpResponse.json({ vote: { id: 'v', answers: [], receipt: 'ANOTHER' } }, { status: 201 })
      : undefined;
  const result = await run(assembly);
  expect(JSON.stringify(result.details)).toContain('got the receipt ANOTHER instead of');
  expect(result.status).toBe('error');
});

it('hands a vote in again that got no answer, and says that the server failed', async () => {
  let failing = 2;
  meetings().sick = ({ path }) => {
    if (!path.endsWith('/vote') || failing === 0) {
      return undefined;
    }
    failing -= 1;
    return busy();
  };
  const result = await run(assembly);
  expect(result.message).toContain('2 × Voting: answered 503: Busy.');
  expect(result.details).toMatchObject({ votesSent: 50, votesCounted: 50, vote: { failed: 0 } });
  expect(result.status).toBe('error');
});

it('is red where a vote that was taken is missing in the tally', async () => {
  meetings().counted = (result) =>
    result.questionType === 'YES_NO' ? { ...result, votesCast: { heads: 9, weight: 12 } } : result;
  const result = await run(assembly);
  expect(result.message).toContain('All votes together: 9 with a weight of 12 instead of 10');
  expect(result.details).toMatchObject({ votesSent: 50, votesCounted: 49 });
  expect(result.status).toBe('error');
});

it('is red where a vote that came twice at once counts twice', async () => {
  meetings().storesTwice = true;
  const result = await run(assembly);
  expect(JSON.stringify(result.details)).toContain('sent twice at the same time was stored as two votes');
  expect(JSON.stringify(result.details)).toContain('All votes together: 12 with a weight of');
  expect(result.status).toBe('error');
});

it('goes on without those who cannot sign in, and names how they were answered', async () => {
  let failing = 3;
  meetings().sick = ({ path }) => {
    if (path !== '/auth/end-user/login' || failing === 0) {
      return undefined;
    }
    failing -= 1;
    return HttpResponse.json({ error: 'Too many tries.', code: 'too_many_tries' }, { status: 429 });
  };
  const result = await run(assembly);
  expect(result.message).toContain('3 could not sign in');
  expect(result.message).toContain('3 × Signing in: answered 429: Too many tries.');
  expect(result.details).toMatchObject({ votesSent: 35, votesCounted: 35, signIn: { failed: 3 } });
  expect(result.status).toBe('error');
});

it('is red where nobody can sign in at all', async () => {
  meetings().sick = ({ path }) => (path === '/auth/end-user/login' ? busy() : undefined);
  const result = await run(assembly);
  expect(result.message).toContain('10 × Signing in: answered 503');
  expect(result.details).toMatchObject({
    votesSent: 0,
    forecast: { signInSeconds: null, voteSeconds: null },
  });
  expect(result.status).toBe('error');
});

it('is amber where sign-ins would take minutes, and says when to open the doors', async () => {
  fake().latencyOf = ({ path }) => (path === '/auth/end-user/login' ? 1500 : 1);
  const result = await run(assembly);
  expect(result.message).toContain('checks a password');
  expect(result.message).toMatch(/open the doors of the meeting \d+ minutes before/);
  expect(result.status).toBe('warning');
});

it('is red where votes wait for a slow database, and says that it is the database', async () => {
  fake().latencyOf = ({ path }) => (path.endsWith('/vote') ? 1100 : 1);
  fake().databaseMs = 400;
  const result = await run(assembly);
  expect(result.message).toContain('Votes are too slow');
  expect(result.message).toContain('The database is slow: one statement takes 400 ms');
  expect(result.status).toBe('error');
});
