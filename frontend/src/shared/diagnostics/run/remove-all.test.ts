import { HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { withFakePlenum } from '../../../test/diagnostic-run';
import { fakePeople } from '../../../test/fake-plenum';
import { Caller } from './caller';
import { removeAll } from './remove-all';

const { fake } = withFakePlenum();

function caller(who: keyof typeof fakePeople = 'CLIENT'): Caller {
  return new Caller({ token: fake().tokenOf(fakePeople[who]) }, new AbortController().signal);
}

const calls = () => fake().calls.map(({ method, path }) => `${method} ${path}`);
const nothing = { voteIds: [], questionIds: [], meetingIds: [], endUserIds: [], clientIds: [] };

it('goes from votes to clients, and takes what is gone already for deleted', async () => {
  const all = { voteIds: ['v'], questionIds: ['q'], meetingIds: ['m'], endUserIds: ['e'], clientIds: ['c'] };
  expect(await removeAll(all, caller('SUPER_ADMIN'), caller())).toEqual([]);
  expect(calls()).toEqual([
    'DELETE /votes/v',
    'DELETE /client/questions/q',
    'DELETE /client/meetings/m',
    'DELETE /client/end-users/e',
    'DELETE /clients/c',
  ]);
});

it('ends a meeting that runs before it deletes it', async () => {
  let isRunning = true;
  fake().sick = ({ method, path }) => {
    if (path.endsWith('/end')) {
      isRunning = false;
      return HttpResponse.json({});
    }
    return method === 'DELETE' && isRunning
      ? HttpResponse.json({ code: 'meeting_active' }, { status: 409 })
      : undefined;
  };
  expect(await removeAll({ ...nothing, meetingIds: ['m'] }, caller(), caller())).toEqual([]);
  expect(calls()).toEqual([
    'DELETE /client/meetings/m',
    'POST /client/meetings/m/end',
    'DELETE /client/meetings/m',
  ]);
});

it('names what could not be deleted, and goes on with the rest', async () => {
  fake().sick = ({ path }) =>
    path.endsWith('/one') ? HttpResponse.json({ error: 'It is needed.' }, { status: 409 }) : undefined;
  const kept = await removeAll({ ...nothing, endUserIds: ['one', 'two'] }, caller(), caller());
  expect(kept).toEqual(['DELETE /client/end-users/one answered 409: It is needed.']);
  expect(calls()).toContain('DELETE /client/end-users/two');
});

it('tries again where the server was away for a moment', async () => {
  let failures = 2;
  fake().sick = () => {
    failures -= 1;
    return failures >= 0 ? HttpResponse.error() : undefined;
  };
  const pauses: number[] = [];
  const pause = async (milliseconds: number) => void pauses.push(milliseconds);
  expect(await removeAll({ ...nothing, endUserIds: ['one'] }, caller(), caller(), pause)).toEqual([]);
  expect(calls()).toHaveLength(3);
  expect(pauses).toEqual([1000, 1000]);
});
