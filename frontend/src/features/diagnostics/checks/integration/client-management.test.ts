import { HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { withFakePlenum } from '../../../../test/diagnostic-run';
import type { FakeCall } from '../../../../test/fake-plenum-data';
import { clientManagement } from './client-management';

const { fake, run } = withFakePlenum();

describe('for a client administrator', () => {
  /** The fake server does not implement all of them. */
  const refuseAllBut = (method = '') => {
    const wrongRole = { code: 'wrong_role', error: 'Your role may not do this.' };
    fake().sick = (call) => {
      if (!/^\/(clients|reports)/.test(call.path)) {
        return undefined;
      }
      return call.method === method
        ? HttpResponse.json({ success: true })
        : HttpResponse.json(wrongRole, { status: 403 });
    };
  };

  it('says that the role does not reach there, and that every call is refused', async () => {
    refuseAllBut();
    const result = await run(clientManagement, 'CLIENT');
    expect(result.message).toBe(
      'Only super administrators manage clients. All 8 calls of client management were refused with 403, as they must be.',
    );
    expect(result.status).toBe('success');
  });

  it('is red where one call is let through, and names it', async () => {
    refuseAllBut('DELETE');
    const result = await run(clientManagement, 'CLIENT');
    expect(result.message).toMatch(
      /does not refuse every call of a client administrator: DELETE \/clients\/\S+ answered 200 instead of 403/,
    );
    expect(result.status).toBe('error');
  });

  it('never asks for what could hit a real client', async () => {
    refuseAllBut();
    await run(clientManagement, 'CLIENT');
    const ids = fake().clients.map(({ id }) => id);
    expect(fake().calls.filter(({ path }) => ids.some((id) => path.includes(id)))).toEqual([]);
  });
});

describe('for a super administrator', () => {
  const ok = (body: unknown, status = 200) => HttpResponse.json(body as object, { status });
  const no = (status: number, code: string) => HttpResponse.json({ code, error: `${code}.` }, { status });

  /**
   * The endpoints of client management that the fake server does not implement. `counts` is the number by which the
   * statistics are too high.
   */
  function manage({ counts = 0, isDeaf = false }: { counts?: number; isDeaf?: boolean } = {}): void {
    const inactive = new Set<string>();
    fake().sick = (call) => answerOf(call, inactive, counts, isDeaf);
  }

  function answerOf(
    { method, path, body, person }: FakeCall,
    inactive: Set<string>,
    counts: number,
    isDeaf: boolean,
  ) {
    const client = fake().clients.find(({ id }) => path === `/clients/${id}`);
    const added = fake().clients.filter(({ name }) => name.startsWith('TEST_')).length;
    if (path === '/clients/stats') {
      return ok({ data: { total: 7 + counts * added } });
    }
    if (client && method === 'PUT') {
      Object.assign(client, body);
      body.status === 'INACTIVE' ? inactive.add(client.id) : inactive.delete(client.id);
      return ok({ data: client });
    }
    if (client && method === 'GET') {
      const endUsers = fake().endUsers.filter(({ clientId }) => clientId === client.id).length;
      return ok({ data: { ...client, _count: { endUsers } } });
    }
    if (method === 'GET' && /^\/clients\//.test(path) && !client) {
      return no(404, 'client_not_found');
    }
    if (path.startsWith('/public/client/')) {
      return no(404, 'client_not_found');
    }
    return keptOut(path, body, person?.clientId ?? null, inactive, isDeaf);
  }

  function keptOut(
    path: string,
    body: FakeCall['body'],
    clientId: string | null,
    inactive: Set<string>,
    isDeaf: boolean,
  ) {
    const isGone = clientId !== null && !fake().clients.some(({ id }) => id === clientId);
    if (clientId !== null && (isGone || (inactive.has(clientId) && !isDeaf))) {
      return no(401, 'session_ended');
    }
    const asked = fake().clients.find(
      ({ admin, clientCode }) => admin.email === body.email || clientCode === body.clientCode,
    );
    return path.endsWith('/login') && asked && inactive.has(asked.id)
      ? no(401, 'invalid_credentials')
      : undefined;
  }

  it('takes a client through its life and leaves none behind', async () => {
    manage();
    const result = await run(clientManagement, 'SUPER_ADMIN');
    expect(result.message).toMatch(
      /^A client was created, found, read, changed, deactivated, reactivated and deleted/,
    );
    expect(result.status).toBe('success');
    expect(fake().clients.map(({ name }) => name)).toEqual(['Riverside Housing Cooperative']);
  });

  it('is red where the test client counts in the statistics', async () => {
    manage({ counts: 1 });
    const result = await run(clientManagement, 'SUPER_ADMIN');
    expect(result.message).toContain(
      'The number of clients went from 7 to 8: the test client must not be counted',
    );
    expect(result.status).toBe('error');
  });

  it('is red where a session goes on after the client was deactivated', async () => {
    manage({ isDeaf: true });
    const result = await run(clientManagement, 'SUPER_ADMIN');
    expect(result.message).toContain(
      'Deactivate it: sign-ins are refused, running sessions end: GET /client/end-users answered 200 instead of 401',
    );
    expect(result.status).toBe('error');
  });
});
