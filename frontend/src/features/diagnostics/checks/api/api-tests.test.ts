import { HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { withFakePlenum } from '../../../../test/diagnostic-run';
import type { FakeCall } from '../../../../test/fake-plenum-data';
import { authenticationEndpoints } from './authentication-endpoints';
import { clientCrud } from './client-crud';
import { meetingEndpoints } from './meeting-endpoints';
import { votingFlow } from './voting-flow';

const { fake, run } = withFakePlenum();

const refusal = (status: number, code: string, fields?: object) =>
  HttpResponse.json({ error: `${code}.`, code, fields }, { status });

describe('Client CRUD Operations of an organizer', () => {
  /** The fake server does not implement changes of a client. */
  const refuseChange = ({ method, path }: FakeCall) =>
    method === 'PUT' && path.startsWith('/clients/') ? refusal(403, 'wrong_role') : undefined;

  it('are green where the server refuses them all, and say that the role does not reach', async () => {
    fake().sick = refuseChange;
    const result = await run(clientCrud);
    expect(result).toMatchObject({ status: 'success' });
    expect(result.message).toBe(
      'Only super administrators manage clients. The server refused all 9 calls (403).',
    );
    expect(
      fake()
        .calls.filter(({ method }) => method !== 'GET')
        .map(({ path }) => path),
    ).toEqual([
      '/clients',
      '/clients/00000000-0000-7000-8000-000000000000',
      '/clients/00000000-0000-7000-8000-000000000000',
    ]);
  });

  it.each([
    ['POST', 201],
    ['GET', 200],
    ['PUT', 404],
    ['DELETE', 404],
  ])('are red where %s is let through, by whatever status', async (method, status) => {
    fake().sick = (call) =>
      call.method === method && call.path.startsWith('/clients')
        ? HttpResponse.json({ data: { id: 'made' } }, { status })
        : refuseChange(call);
    const result = await run(clientCrud);
    expect(result.status).toBe('error');
    expect(result.message).toContain(`your role must not make this call, but ${method} /clients`);
    // The test at least tries to delete a client whose creation should have been refused.
    expect(fake().calls.some(({ path, method: sent }) => sent === 'DELETE' && path === '/clients/made')).toBe(
      method === 'POST',
    );
  });
});

describe('Client CRUD Operations of a super administrator', () => {
  /** The endpoints that the fake server does not implement. */
  function healthy(call: FakeCall): Response | undefined {
    const { method, path, body } = call;
    const client = fake().clients.find(({ id }) => path === `/clients/${id}`);
    const real = fake().clients.filter(({ name }) => !name.startsWith('TEST_')).length;
    if (path === '/clients/stats') {
      return HttpResponse.json({ data: { total: real } });
    }
    if (method === 'GET' && path === '/clients') {
      const wanted = call.query.get('search') ?? '';
      const data = fake().clients.filter(({ name }) => name.includes(wanted));
      return HttpResponse.json({ data, meta: { total: data.length } });
    }
    if (method === 'POST' && path === '/clients' && body.name === '') {
      return refusal(422, 'invalid_input', body);
    }
    if (
      method === 'POST' &&
      path === '/clients' &&
      fake().clients.some(({ admin }) => admin.email === body.email)
    ) {
      return refusal(409, 'email_taken', { email: ['Taken.'] });
    }
    if (method === 'PUT' && path.startsWith('/clients/')) {
      Object.assign(client ?? {}, body);
      return client ? HttpResponse.json({ data: client }) : refusal(404, 'client_not_found');
    }
    if (method === 'GET' && client) {
      const { contactEmail = client.admin.email } = client as { contactEmail?: string };
      return HttpResponse.json({ data: { ...client, contactEmail, users: [client.admin] } });
    }
    const isGone = call.person?.role === 'CLIENT' && fake().clients.length === 1;
    return path === '/auth/me' && isGone ? refusal(401, 'session_ended') : undefined;
  }

  it('are green where everything is as it should be', async () => {
    fake().sick = healthy;
    const result = await run(clientCrud, 'SUPER_ADMIN');
    expect(result.message).toBe(
      'Creating, reading, finding, changing and deleting a client work (13 steps).',
    );
    expect(result.status).toBe('success');
    expect(fake().clients).toHaveLength(1);
  });

  it('are red where test data count', async () => {
    fake().sick = (call) =>
      call.path === '/clients/stats'
        ? HttpResponse.json({ data: { total: fake().clients.length } })
        : healthy(call);
    const result = await run(clientCrud, 'SUPER_ADMIN');
    expect(result.status).toBe('error');
    expect(result.message).toBe(
      'Test failed: Check that the statistics leave it out: The statistics count 2 clients, and the list has 2, of which 1 are test clients. Test data must not count.',
    );
    expect(fake().clients).toHaveLength(1);
  });

  it('are red where a second client gets the same sign-in, and delete that one, too', async () => {
    fake().sick = (call) =>
      call.method === 'POST' && call.path === '/clients' && call.body.name !== '' ? undefined : healthy(call);
    const result = await run(clientCrud, 'SUPER_ADMIN');
    expect(result.message).toContain(
      'Refuse a second client with this sign-in (409): POST /clients answered 201',
    );
    expect(fake().clients).toHaveLength(1);
  });

  it('are red where a change is not stored', async () => {
    fake().sick = (call) => (call.method === 'PUT' ? HttpResponse.json({ data: {} }) : healthy(call));
    const result = await run(clientCrud, 'SUPER_ADMIN');
    expect(result.message).toContain('Change it, and read the changes: The changed client is');
  });
});

describe('Authentication Endpoints', () => {
  it('are red where the token is of another role', async () => {
    fake().sick = ({ path }) =>
      path === '/test/auth' ? HttpResponse.json({ details: { userRole: 'SUPER_ADMIN' } }) : undefined;
    const result = await run(authenticationEndpoints);
    expect(result.message).toBe(
      'Test failed: Look up the owner of your token: The role of your token is "SUPER_ADMIN" instead of "CLIENT"',
    );
  });

  it('are red where a wrong password is good enough, and count few failed sign-ins', async () => {
    fake().sick = ({ path, body, query: _ }) => {
      if (path === '/test/auth') {
        return HttpResponse.json({ details: { userRole: 'CLIENT' } });
      }
      if (body.email === '' || body.username === '') {
        return refusal(422, 'invalid_input', body);
      }
      if (path === '/auth/refresh') {
        return refusal(401, 'session_ended');
      }
      return path === '/auth/end-user/login'
        ? HttpResponse.json({ token: 't', refreshToken: 'r' })
        : undefined;
    };
    const result = await run(authenticationEndpoints);
    expect(result.message).toBe(
      'Test failed: Refuse a wrong password of a voter (401): POST /auth/end-user/login answered 200 instead of 401',
    );
    expect(fake().endUsers).toEqual([]);
  });
});

it('Meeting Endpoints are red where a wrong meeting is taken, and delete that one', async () => {
  const result = await run(meetingEndpoints);
  expect(result.status).toBe('error');
  expect(result.message).toContain(
    'Refuse a meeting that ends before it starts (422): POST /client/meetings answered 201',
  );
  expect(result.details).toMatchObject({
    steps: expect.arrayContaining([{ step: 'Create two test voters', ms: 2, result: 'ok' }]),
  });
  expect(fake().meetings).toEqual([]);
});

describe('Voting Flow', () => {
  it('is red where a ballot is taken that does not fit', async () => {
    const result = await run(votingFlow);
    expect(result.message).toMatch(
      /^Test failed: YES_NO: refuse ballots that do not fit \(422\): POST \/voting/,
    );
    expect(fake().endUsers).toEqual([]);
  });

  it('is red where a vote is counted otherwise than it was sent', async () => {
    fake().sick = (call) => {
      const { path, body } = call;
      const answers = body.answers as string[] | undefined;
      const isOutsider = fake().meetings.every(
        ({ participants }) => !participants.includes(call.person?.id ?? ''),
      );
      if (!path.endsWith('/vote')) {
        return undefined;
      }
      if (answers?.length !== 1 || answers[0] === 'Maybe') {
        return refusal(422, 'invalid_ballot');
      }
      if (isOutsider) {
        return refusal(403, 'not_invited');
      }
      const stored = fake().votes.find(({ voterId }) => voterId === call.person?.id);
      return stored && stored.answers[0] !== answers[0] ? refusal(409, 'already_voted') : undefined;
    };
    const healthy = fake().sick;
    fake().sick = (call) => {
      const [first] = fake().votes;
      if (call.path.endsWith('/count') && first) {
        first.answers = ['No'];
      }
      return call.path.endsWith('/stats')
        ? HttpResponse.json({ totalVotes: fake().votes.length, registerSize: 5 })
        : healthy(call);
    };
    const result = await run(votingFlow);
    expect(result.message).toContain('YES_NO: compare the count with the votes sent');
    expect(result.message).toContain('Votes for Yes: ');
  });
});
