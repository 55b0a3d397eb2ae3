import { HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import type { Diagnostic } from '../../../../shared/diagnostics/run/diagnostic';
import { success } from '../../../../shared/diagnostics/run/finding';
import type { Portal } from '../../../../shared/diagnostics/run/portal';
import { Runner } from '../../../../shared/diagnostics/run/runner';
import { withFakePlenum } from '../../../../test/diagnostic-run';
import { fakePeople } from '../../../../test/fake-plenum';
import { cleanupData } from './cleanup-data';
import { verifyState } from './verify-state';

const { fake } = withFakePlenum();
const clientId = fakePeople.CLIENT.clientId ?? '';
const questions: string[] = [];
let runner: Runner;
let isYes: boolean;

beforeEach(() => {
  questions.length = 0;
  isYes = true;
  runner = new Runner();
  runner.subscribe(() => {
    const { question } = runner.state();
    if (question) {
      questions.push(`${question.title} ${question.text}`);
      queueMicrotask(() => runner.answer(isYes));
    }
  });
  fake().sick = ({ path }) =>
    path === '/test/data-integrity'
      ? HttpResponse.json({
          isValid: true,
          details: { issuesFound: 0, issues: [], checks: [{ name: 'vote_count', issuesFound: 0 }] },
        })
      : undefined;
});

async function run(tests: Diagnostic[], portal: Portal = 'CLIENT') {
  window.localStorage.setItem('accessToken', fake().tokenOf(fakePeople[portal]));
  await runner.start(tests, portal, fakePeople[portal]);
  return runner.state().results[0];
}

function addMeeting(title: string): void {
  fake().meetings.push({ id: title, clientId, title, status: 'DRAFT', participants: [], current: null });
}

function addEndUser(name: string): void {
  const rest = { password: '', weight: 1, address: null };
  fake().endUsers.push({ id: name, clientId, name, username: name.toLowerCase(), ...rest });
}

/** A test whose data remain, because deletions fail. */
const brokenOff: Diagnostic = {
  name: 'Broken off',
  about: '',
  run: async ({ world }) => {
    await world.addVoters(1);
    return success('Well.');
  },
};

async function leaveSomething(): Promise<void> {
  const well = fake().sick;
  fake().sick = (call) =>
    call.method === 'DELETE' ? HttpResponse.json({ error: 'Not now.' }, { status: 409 }) : well(call);
  await run([brokenOff]);
  fake().sick = well;
}

it('has nothing to do where nothing was left', async () => {
  addMeeting('Annual general meeting');
  expect(await run([cleanupData])).toMatchObject({
    status: 'success',
    message: 'There was nothing to delete.',
  });
  expect(await run([verifyState])).toMatchObject({
    status: 'success',
    message: 'No test data found in this organization. 1 check of the stored data found no issue.',
  });
  expect(fake().meetings).toHaveLength(1);
});

it('deletes what a test of this page has left, and asks nothing', async () => {
  await leaveSomething();
  expect(fake().endUsers).toHaveLength(1);
  expect(await run([verifyState])).toMatchObject({ status: 'warning' });
  expect(await run([cleanupData, verifyState])).toMatchObject({ name: 'Verify State', status: 'success' });
  expect(fake().endUsers).toEqual([]);
  expect(questions).toEqual([]);
});

it('asks before it deletes what no test of this page has made, meetings before end users', async () => {
  addEndUser('TEST_voter');
  addEndUser('LATEST_news');
  addMeeting('TEST_meeting');
  addMeeting('Annual general meeting');
  const result = await run([cleanupData]);
  expect(questions[0]).toMatch(
    /^Delete 1 meeting and 1 end user\? No test of this page created them: TEST_meeting, TEST_voter \(test_voter\)\./,
  );
  expect(result).toMatchObject({
    status: 'success',
    message: 'Deleted 1 meeting and 1 end user. No test data is left.',
  });
  expect(fake().meetings.map(({ title }) => title)).toEqual(['Annual general meeting']);
  expect(fake().endUsers.map(({ name }) => name)).toEqual(['LATEST_news']);
  const deleted = fake().calls.filter(({ method }) => method === 'DELETE');
  expect(deleted.map(({ path }) => path)).toEqual([
    '/client/meetings/TEST_meeting',
    '/client/end-users/TEST_voter',
  ]);
});

it('leaves it alone where the person says no, and where nobody is asked', async () => {
  addMeeting('TEST_meeting');
  isYes = false;
  const message =
    'Kept test data that no test of this page created and that you did not confirm for deletion: 1 meeting. Run Cleanup Data on its own to decide about it.';
  expect(await run([cleanupData])).toMatchObject({ status: 'warning', message });
  isYes = true;
  await run([cleanupData, verifyState]);
  expect(runner.state().results[1]).toMatchObject({ status: 'warning', message });
  expect(runner.state().results[0]).toMatchObject({
    status: 'warning',
    message:
      '1 meeting is left: TEST_meeting. Run Cleanup Data to delete data whose name begins with TEST_. 1 check of the stored data found no issue.',
  });
  expect(fake().meetings).toHaveLength(1);
});

it('is red where something cannot be deleted, with the reason', async () => {
  addMeeting('TEST_meeting');
  const well = fake().sick;
  fake().sick = (call) =>
    call.method === 'DELETE' ? HttpResponse.json({ error: 'It is needed.' }, { status: 409 }) : well(call);
  expect(await run([cleanupData])).toMatchObject({
    status: 'error',
    message: 'Test data is still there: 1 meeting. The details give the reasons.',
    details: {
      left: ['TEST_meeting'],
      refused: ['DELETE /client/meetings/TEST_meeting answered 409: It is needed.'],
    },
  });
});

it('is red where the server says that it has deleted something and has not', async () => {
  addMeeting('TEST_meeting');
  const well = fake().sick;
  fake().sick = (call) => (call.method === 'DELETE' ? HttpResponse.json({ success: true }) : well(call));
  expect(await run([cleanupData])).toMatchObject({ status: 'error' });
});

it('deletes clients by their prefix for a super administrator', async () => {
  const admin = { id: 'a', email: 'a@b.test', password: '' };
  fake().clients.push({ id: 'c1', name: 'TEST_CLIENT_1', clientCode: 'test-client-1', admin });
  fake().clients.push({ id: 'c2', name: 'My TEST_ club', clientCode: 'club', admin });
  fake().sick = (call) => {
    if (call.path === '/test/data-integrity') {
      return HttpResponse.json({
        isValid: true,
        details: { issuesFound: 0, issues: [], checks: [{ name: 'vote_count', issuesFound: 0 }] },
      });
    }
    return call.method === 'GET' && call.path === '/clients'
      ? HttpResponse.json({ data: fake().clients, meta: { total: fake().clients.length } })
      : undefined;
  };
  expect(await run([cleanupData], 'SUPER_ADMIN')).toMatchObject({
    status: 'success',
    message: 'Deleted 1 client. No test data is left.',
  });
  expect(questions[0]).toContain('Deleting a client deletes everything in it.');
  expect(fake().clients.map(({ name }) => name)).toEqual(['Riverside Housing Cooperative', 'My TEST_ club']);
  expect(await run([verifyState], 'SUPER_ADMIN')).toMatchObject({
    status: 'warning',
    message:
      '1 client is left: My TEST_ club (club). Names that only contain TEST_ count as real data, and Cleanup Data keeps them. 1 check of the stored data found no issue.',
  });
});

it('is red where what is stored does not hold together', async () => {
  fake().sick = ({ path }) =>
    path === '/test/data-integrity'
      ? HttpResponse.json({
          isValid: false,
          details: {
            issuesFound: 1,
            issues: [{ check: 'x', table: 'rounds', id: 'r1', message: 'It is wrong.' }],
            checks: [{ name: 'x', issuesFound: 1 }],
          },
        })
      : undefined;
  const result = await run([verifyState]);
  expect(result).toMatchObject({ status: 'error' });
  expect(result?.message).toMatch(
    /^No test data found in this organization\. 1 issue in the stored data: rounds r1: It/,
  );
});
