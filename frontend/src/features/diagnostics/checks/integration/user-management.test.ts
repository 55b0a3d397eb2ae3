import { HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { withFakePlenum } from '../../../../test/diagnostic-run';
import type { FakeCall } from '../../../../test/fake-plenum-data';
import { userManagement } from './user-management';

const { fake, run } = withFakePlenum();

const ok = (data: unknown, status = 200) => HttpResponse.json({ success: true, data }, { status });
const no = (status: number, code: string, ...fields: string[]) =>
  HttpResponse.json(
    { code, error: `${code}.`, fields: Object.fromEntries(fields.map((name) => [name, ['No.']])) },
    { status },
  );

type Row = Record<string, unknown> & { id: string; username: string; password: string; isActive?: boolean };
const rows = () => fake().endUsers as unknown as Row[];

interface Sickness {
  countsTests?: boolean;
  takesWrongInput?: boolean;
  keepsSessions?: boolean;
}

/**
 * The endpoints of end users that the fake server does not implement: statistics, validation, credentials and sessions.
 */
function manage(sickness: Sickness = {}): void {
  const stopped = new Set<string>();
  fake().sick = (call) => answerOf(call, stopped, sickness);
}

function answerOf({ method, path, body, person }: FakeCall, stopped: Set<string>, sickness: Sickness) {
  const row = rows().find(({ id }) => path.includes(id));
  if (path === '/client/end-users/stats') {
    return ok(statsWith(sickness.countsTests ? rows() : []));
  }
  if (path === '/client/end-users' && method === 'POST') {
    return sickness.takesWrongInput ? undefined : wrongInput(body);
  }
  if (path.endsWith('/export-credentials') && row) {
    stopped.add(row.id);
    row.password = 'a new one';
    return ok({ username: row.username, password: row.password });
  }
  if (row && method === 'PUT' && body.isActive === false) {
    stopped.add(row.id);
    Object.assign(row, body);
    return ok(row);
  }
  if (path.startsWith('/client/end-users/') && !row) {
    return no(404, 'end_user_not_found');
  }
  if (path === '/voting/meetings' && stopped.delete(person?.id ?? '') && !sickness.keepsSessions) {
    return no(401, 'session_ended');
  }
  const isInactive = rows().some(
    ({ username, isActive }) => username === body.username && isActive === false,
  );
  return path === '/auth/end-user/login' && isInactive ? no(401, 'invalid_credentials') : undefined;
}

function statsWith(counted: Row[]) {
  const weight = counted.reduce((sum, row) => sum + Number(row.weight), 0);
  return { total: 12 + counted.length, active: 10 + counted.length, inactive: 2, totalWeight: 20 + weight };
}

function wrongInput({ name, weight, email, password, username }: FakeCall['body']) {
  const wrong = [
    String(name).trim() === '' ? 'name' : '',
    Number(weight ?? 1) < 0 ? 'weight' : '',
    email !== undefined && !String(email).includes('@') ? 'email' : '',
    password === '' ? 'password' : '',
  ].filter(Boolean);
  if (wrong.length > 0) {
    return no(422, 'invalid_input', ...wrong);
  }
  if (rows().some((row) => row.username === username)) {
    return no(409, 'username_taken', 'username');
  }
  const id = `0000000${rows().length}-aaaa-7000-8000-000000000000`;
  const made = {
    id,
    clientId: fake().clients[0]?.id,
    isActive: true,
    name,
    weight,
    email,
    password,
    username,
  };
  (rows() as unknown[]).push({ ...made, address: `${rows().length + 1} Test Street` });
  return ok(rows().at(-1), 201);
}

it('takes end users through their life and leaves none behind', async () => {
  manage();
  const result = await run(userManagement);
  expect(result.message).toBe(
    'End users were added, found, changed, signed in, deactivated, given a new password and deleted. They were not counted in your statistics.',
  );
  expect(result.status).toBe('success');
  expect(rows()).toEqual([]);
});

it('is red where test data count in the statistics', async () => {
  manage({ countsTests: true });
  const result = await run(userManagement);
  expect(result.message).toContain('Compare the statistics: The statistics of the end users are');
  expect(result.message).toContain('test data must not be counted');
  expect(result.status).toBe('error');
  expect(rows()).toEqual([]);
});

it('is red where wrong input is taken, and deletes what it made', async () => {
  manage({ takesWrongInput: true });
  const result = await run(userManagement);
  expect(result.status).toBe('error');
  expect(rows()).toEqual([]);
});

it('is red where a session goes on after a new password', async () => {
  manage({ keepsSessions: true });
  const result = await run(userManagement);
  expect(result.message).toContain('the session ends: GET /voting/meetings answered 200 instead of 401');
  expect(result.status).toBe('error');
});
