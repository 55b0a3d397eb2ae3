import { HttpResponse } from 'msw';
import { expect, it, vi } from 'vitest';
import { session } from '../../../api/session';
import { withFakePlenum } from '../../../test/diagnostic-run';
import { fakePeople } from '../../../test/fake-plenum';
import type { Diagnostic, Run } from './diagnostic';
import { success } from './finding';
import { Runner } from './runner';
import { bodyOf } from './unexpected';

const { fake } = withFakePlenum();

function test(name: string, run: Diagnostic['run']): Diagnostic {
  return { name, about: '', run };
}

function start(runner: Runner, ...tests: Diagnostic[]): Promise<void> {
  window.localStorage.setItem('accessToken', fake().tokenOf(fakePeople.CLIENT));
  return runner.start(tests, 'CLIENT', fakePeople.CLIENT);
}

/** A promise and its resolver. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

function reached(runner: Runner, isThere: (state: ReturnType<Runner['state']>) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => isThere(runner.state()) && resolve();
    runner.subscribe(check);
    check();
  });
}

it('runs tests one after another, and lists the newest first', async () => {
  const runner = new Runner();
  const places: unknown[] = [];
  const looking = (name: string) =>
    test(name, async () => {
      places.push([runner.state().running, runner.state().place, runner.state().results[0]?.status]);
      return success(`${name} is well.`, { name });
    });
  await start(runner, looking('One'), looking('Two'));
  expect(places).toEqual([
    ['One', { number: 1, of: 2 }, 'running'],
    ['Two', { number: 2, of: 2 }, 'running'],
  ]);
  expect(runner.state()).toMatchObject({ running: null, place: null, progress: null });
  expect(runner.state().results).toMatchObject([
    { name: 'Two', status: 'success', message: 'Two is well.', details: { name: 'Two' } },
    { name: 'One', status: 'success' },
  ]);
  runner.clear();
  expect(runner.state().results).toEqual([]);
});

it('starts nothing while a test runs', async () => {
  const runner = new Runner();
  const { opened, open } = gate();
  const first = start(
    runner,
    test('One', async () => {
      await opened;
      return success('Well.');
    }),
  );
  const second = start(
    runner,
    test('Two', async () => success('Well.')),
  );
  open();
  await Promise.all([first, second]);
  expect(runner.state().results.map(({ name }) => name)).toEqual(['One']);
});

it('says what failed, with the answer and the steps before it', async () => {
  const runner = new Runner();
  await start(
    runner,
    test('One', async ({ own }) => success('Well.', bodyOf(await own.get('/no/such/path'), 200))),
    test('Two', async () => {
      throw new Error('Something broke');
    }),
    test('Three', () => Promise.reject(new Error(''))),
  );
  expect(runner.state().results.map(({ status, message }) => [status, message])).toEqual([
    ['error', 'Test failed: Unknown error'],
    ['error', 'Test failed: Something broke'],
    ['error', 'Test failed: GET /no/such/path answered 404 instead of 200: not_found.'],
  ]);
  expect(runner.state().results[2]?.details).toMatchObject({ call: 'GET /no/such/path', status: 404 });
});

it('deletes what a test has made, however it ends', async () => {
  const runner = new Runner();
  await start(
    runner,
    test('Whole', async ({ world }) => {
      await world.addMeeting(await world.addVoters(2), []);
      return success('Well.');
    }),
    test('Broken', async ({ world }) => {
      await world.addVoters(3);
      throw new Error('Something broke');
    }),
  );
  expect(fake().endUsers).toEqual([]);
  expect(fake().meetings).toEqual([]);
  const changes = fake().calls.filter(({ method }) => method === 'DELETE' || method === 'POST');
  expect(changes.slice(0, 7).map(({ method, path }) => `${method} ${path.split('/')[2]}`)).toEqual([
    'POST end-users',
    'POST end-users',
    'POST meetings',
    'POST meetings',
    'DELETE meetings',
    'DELETE end-users',
    'DELETE end-users',
  ]);
});

it('deletes everything with the test client of a super administrator', async () => {
  window.localStorage.setItem('accessToken', fake().tokenOf(fakePeople.SUPER_ADMIN));
  const runner = new Runner();
  const organizations: string[] = [];
  const making = test('Making', async ({ world }) => {
    await world.addVoters(1);
    organizations.push(...fake().clients.map(({ name }) => name));
    return success('Well.');
  });
  await runner.start([making], 'SUPER_ADMIN', fakePeople.SUPER_ADMIN);
  expect(organizations).toEqual([
    'Riverside Housing Cooperative',
    expect.stringMatching(/^TEST_CLIENT_\w+_\d$/),
  ]);
  expect(fake().clients.map(({ name }) => name)).toEqual(['Riverside Housing Cooperative']);
  expect(fake().endUsers).toEqual([]);
});

it('finds what was made by a call whose answer got lost', async () => {
  fake().sick = (call) => {
    if (call.method === 'POST' && call.path === '/client/meetings') {
      fake().answer(call);
      return HttpResponse.error();
    }
    return undefined;
  };
  const runner = new Runner();
  await start(
    runner,
    test('Losing', async ({ world }) => {
      await world.addMeeting([], []);
      return success('Well.');
    }),
  );
  expect(runner.state().results[0]?.message).toBe(
    'Test failed: POST /client/meetings did not reach the server',
  );
  expect(fake().meetings).toEqual([]);
});

it('waits for what was begun beside that which failed, and deletes it, too', async () => {
  const { opened, open } = gate();
  fake().sick = async (call) => {
    if (call.method === 'POST') {
      await opened;
    }
    return undefined;
  };
  const runner = new Runner();
  const ended = start(
    runner,
    test('Hasty', async ({ world }) => {
      await Promise.all([world.addVoters(1), Promise.reject(new Error('Something broke'))]);
      return success('Well.');
    }),
  );
  await vi.waitFor(() => expect(fake().calls.some(({ method }) => method === 'POST')).toBe(true));
  open();
  await ended;
  expect(fake().calls.map(({ method }) => method)).toContain('DELETE');
  expect(fake().endUsers).toEqual([]);
});

it('stops at the next step, runs no further test, and tidies up', async () => {
  const runner = new Runner();
  const waiting = test('Long', async (run: Run) => {
    await run.world.addVoters(1);
    run.progress(1, 3, 'Waiting');
    await run.pause(1_000_000);
    return success('Well.');
  });
  const ended = start(
    runner,
    waiting,
    test('Next', async () => success('Well.')),
  );
  await reached(runner, ({ progress }) => progress?.doing === 'Waiting');
  void runner.stop();
  expect(runner.state().isStopping).toBe(true);
  await ended;
  expect(runner.state().results).toMatchObject([
    { name: 'Long', status: 'warning', message: 'Stopped before it was finished.' },
  ]);
  expect(runner.state()).toMatchObject({ running: null, isStopping: false });
  expect(fake().endUsers).toEqual([]);
});

it('says that test data may still be there where they cannot be deleted', async () => {
  fake().sick = ({ method }) =>
    method === 'DELETE' ? HttpResponse.json({ error: 'Not now.' }, { status: 409 }) : undefined;
  const runner = new Runner();
  await start(
    runner,
    test('Making', async ({ world }) => {
      await world.addVoters(1);
      return success('Well.');
    }),
  );
  expect(runner.state().results[0]).toMatchObject({
    status: 'error',
    message: 'Well. Test data may still be there: run Cleanup Data.',
    details: { stillThere: expect.arrayContaining([expect.stringMatching(/answered 409: Not now\.$/)]) },
  });
});

it('asks the person only where one test runs alone', async () => {
  const question = { title: 'Sure?', text: 'Is it?', confirmLabel: 'Yes', cancelLabel: 'No' };
  const asking = test('Asking', async ({ confirm }) => success(String(await confirm(question))));
  const runner = new Runner();
  const ended = start(runner, asking);
  await reached(runner, (state) => state.question !== null);
  expect(runner.state().question).toEqual(question);
  runner.answer(true);
  await ended;
  await start(runner, asking, asking);
  expect(runner.state().results.map(({ message }) => message)).toEqual(['false', 'false', 'true']);
  expect(runner.state().question).toBeNull();
});

it('tidies up before the person is signed out', async () => {
  const runner = new Runner();
  const ended = start(
    runner,
    test('Long', async (run) => {
      await run.world.addVoters(1);
      run.progress(1, 3, 'Waiting');
      await run.pause(1_000_000);
      return success('Well.');
    }),
  );
  await reached(runner, ({ progress }) => progress?.doing === 'Waiting');
  await session.signOut();
  await ended;
  expect(fake().endUsers).toEqual([]);
  expect(window.localStorage.getItem('accessToken')).toBeNull();
  const paths = fake().calls.map(({ method, path }) => `${method} ${path}`);
  expect(paths.at(-1)).toBe('POST /auth/logout');
});
