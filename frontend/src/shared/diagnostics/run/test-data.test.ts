import { HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { withFakePlenum } from '../../../test/diagnostic-run';
import { fakePeople } from '../../../test/fake-plenum';
import { sampleClient, sampleEndUser, sampleMeeting } from '../../../test/samples';
import { Caller } from './caller';
import { countsOf, findNamed, namesOf, numberOf, testDataOf } from './test-data';

const { fake } = withFakePlenum();

function caller(): Caller {
  return new Caller({ token: fake().tokenOf(fakePeople.CLIENT) }, new AbortController().signal);
}

function answerWith(rows: Record<string, object[]>): void {
  fake().sick = ({ path, query }) => {
    const page = Number(query.get('page'));
    const data = (rows[path] ?? []).slice((page - 1) * 200, page * 200);
    return HttpResponse.json({ data, meta: { page, pageSize: 200, total: rows[path]?.length ?? 0 } });
  };
}

it('looks at every page', async () => {
  answerWith({
    '/client/end-users': Array.from({ length: 401 }, (_, index) =>
      sampleEndUser({ id: `e${index}`, name: `TEST_${index}` }),
    ),
  });
  const found = await findNamed(caller(), 'CLIENT', 'TEST_');
  expect(countsOf(found)).toBe('401 end users');
  expect(
    fake()
      .calls.filter(({ path }) => path === '/client/end-users')
      .map(({ query }) => query.toString()),
  ).toEqual([
    'search=TEST_&page=1&pageSize=200',
    'search=TEST_&page=2&pageSize=200',
    'search=TEST_&page=3&pageSize=200',
  ]);
});

it('is case-sensitive, and distinguishes names that begin with TEST_… from names that only contain it', async () => {
  answerWith({
    '/client/meetings': [
      sampleMeeting({ id: 'm1', title: 'TEST_meeting' }),
      sampleMeeting({ id: 'm2', title: 'The LATEST_news' }),
      sampleMeeting({ id: 'm3', title: 'test_meeting' }),
    ],
    '/client/end-users': [sampleEndUser({ name: 'Vera', username: 'TEST_vera' })],
  });
  const found = await findNamed(caller(), 'CLIENT', 'TEST_');
  expect(namesOf(found)).toEqual(['TEST_meeting', 'The LATEST_news', 'Vera (TEST_vera)']);
  expect(namesOf(testDataOf(found))).toEqual(['TEST_meeting', 'Vera (TEST_vera)']);
  expect(countsOf(testDataOf(found))).toBe('1 meeting and 1 end user');
  expect(numberOf(found)).toBe(3);
});

it('looks among the clients, by name and code, for a super administrator', async () => {
  answerWith({
    '/clients': [
      sampleClient({ id: 'c1', name: 'TEST_CLIENT_1', clientCode: 'test-client-1' }),
      sampleClient({ id: 'c2', name: 'Club', clientCode: 'TEST_club' }),
      sampleClient({ id: 'c3', name: 'Testing Club', clientCode: 'test_club' }),
    ],
  });
  const found = await findNamed(caller(), 'SUPER_ADMIN', 'TEST_');
  expect(namesOf(found)).toEqual(['TEST_CLIENT_1 (test-client-1)', 'Club (TEST_club)']);
  expect(fake().calls.map(({ path }) => path)).toEqual(['/clients']);
});
