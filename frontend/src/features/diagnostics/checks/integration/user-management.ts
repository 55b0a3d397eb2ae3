import type { Credentials, EndUser } from '../../../../api/types';
import { countOf } from '../../../../shared/diagnostics/assembly/tally';
import type { Answer } from '../../../../shared/diagnostics/run/answer';
import type { Caller } from '../../../../shared/diagnostics/run/caller';
import type { Diagnostic, Run } from '../../../../shared/diagnostics/run/diagnostic';
import { hold, refused, same } from '../../../../shared/diagnostics/run/expect';
import { success } from '../../../../shared/diagnostics/run/finding';
import { Steps } from '../../../../shared/diagnostics/run/steps';
import { bodyOf, Unexpected } from '../../../../shared/diagnostics/run/unexpected';
import { randomPassword } from '../../../../shared/random-password';

interface Totals {
  total: number;
  active: number;
  inactive: number;
  totalWeight: number;
}

/** An end user of this test, with all possible fields. */
interface Added {
  id: string;
  username: string;
  password: string;
  name: string;
  email: string;
  address: string;
  weight: number;
}

const WEIGHTS = [1.25, 2];

export const userManagement: Diagnostic = {
  name: 'User Management',
  about:
    'Adds end users, finds and changes them, tries invalid input, signs one in, deactivates them, sets a new password and deletes them.',
  run: async (run) => {
    const steps = new Steps(run, 11);
    const organizer = await steps.step('Open the organization', () => run.world.organizer());
    const before = await steps.step('Count the end users', () => totalsOf(organizer));
    const [first, second] = await steps.step('Add two end users', () => addTwo(run, organizer));
    await steps.step('Compare the statistics', () => expectTotals(run, organizer, before, [first, second]));
    await steps.step('Find and read them', () => expectFound(organizer, [first, second]));
    await steps.step('Invalid input and a taken username are refused', () =>
      tryWrongInput(run, organizer, first),
    );
    await steps.step('Change name and weight', () => change(run, organizer, second));
    const session = await steps.step('Sign one in', () => run.world.signInVoter(first));
    await steps.step('Set a new password: it works, the old one does not, and the session ends', () =>
      renewPassword(run, organizer, first, session),
    );
    await steps.step('Deactivate: sign-in is refused and the session ends', () =>
      deactivate(run, organizer, second),
    );
    await steps.step('Delete them', () => remove(organizer, [first, second]));
    await steps.step('Compare the statistics again', () => expectTotals(run, organizer, before, []));
    return success(
      `End users were added, found, changed, signed in, deactivated, given a new password and deleted. ${
        run.portal === 'CLIENT'
          ? 'They were not counted in your statistics.'
          : 'The statistics of the test client were right before and after.'
      }`,
      { steps: steps.reports },
    );
  },
};

async function totalsOf(organizer: Caller): Promise<Totals> {
  return bodyOf<{ data: Totals }>(await organizer.get('/client/end-users/stats'), 200).data;
}

/** A real organization never counts test data; a test client contains nothing else. */
async function expectTotals(run: Run, organizer: Caller, before: Totals, added: Added[]): Promise<void> {
  const after = await totalsOf(organizer);
  const expected = run.portal === 'SUPER_ADMIN' ? withAdded(before, added) : before;
  if (isSame(after, expected)) {
    return;
  }
  const figures = `The statistics of the end users are ${inWords(after)} instead of ${inWords(expected)}`;
  const reason =
    run.portal === 'CLIENT' && isSame(after, withAdded(before, added))
      ? ': test data must not be counted.'
      : '.';
  throw new Unexpected(
    `${figures}${reason} If somebody else added or changed end users at this moment, run the test again`,
  );
}

function withAdded(before: Totals, added: Added[]): Totals {
  const { heads, weight } = countOf([{ weight: before.totalWeight }, ...added]);
  return {
    total: before.total + heads - 1,
    active: before.active + heads - 1,
    inactive: before.inactive,
    totalWeight: weight,
  };
}

function inWords({ total, active, totalWeight }: Totals): string {
  return `${total} (${active} active, with a weight of ${totalWeight})`;
}

function isSame(one: Totals, other: Totals): boolean {
  return (['total', 'active', 'inactive', 'totalWeight'] as const).every(
    (field) => one[field] === other[field],
  );
}

async function addTwo(run: Run, organizer: Caller): Promise<[Added, Added]> {
  const [first, second] = [await add(run, organizer, 0), await add(run, organizer, 1)];
  return [first, second];
}

async function add({ world }: Run, organizer: Caller, index: number): Promise<Added> {
  const name = world.name('user');
  const wanted = {
    name,
    username: name,
    password: randomPassword(),
    email: `${name.toLowerCase()}@plenum.test`,
    address: `${index + 1} Test Street`,
    weight: WEIGHTS[index] ?? 1,
  };
  const { data } = bodyOf<{ data: EndUser }>(await organizer.post('/client/end-users', wanted), 201);
  world.noteEndUser(data.id);
  return { id: data.id, ...wanted };
}

async function expectFound(organizer: Caller, added: Added[]): Promise<void> {
  for (const wanted of added) {
    const answer = await organizer.get(`/client/end-users?search=${encodeURIComponent(wanted.username)}`);
    const { data } = bodyOf<{ data: EndUser[] }>(answer, 200);
    const [found, ...others] = data.filter(({ id }) => id === wanted.id);
    hold(
      found !== undefined && others.length === 0,
      `A search for ${wanted.username} did not find this end user once`,
      answer,
    );
    expectSame(found, wanted);
    expectSame(await read(organizer, wanted.id), wanted);
  }
}

function expectSame(found: EndUser | undefined, wanted: Added): void {
  for (const field of ['username', 'name', 'email', 'address', 'weight'] as const) {
    same(`The ${field} of ${wanted.username}`, found?.[field], wanted[field]);
  }
}

async function read(organizer: Caller, id: string): Promise<EndUser> {
  return bodyOf<{ data: EndUser }>(await organizer.get(`/client/end-users/${id}`), 200).data;
}

async function tryWrongInput(run: Run, organizer: Caller, { username }: Added): Promise<Answer[]> {
  const right = {
    name: run.world.name('wrong'),
    username: run.world.name('wrong'),
    password: randomPassword(),
  };
  const attempts: [object, number, string, string[]][] = [
    [{ ...right, name: ' ' }, 422, 'invalid_input', ['name']],
    [{ ...right, weight: -1 }, 422, 'invalid_input', ['weight']],
    [{ ...right, email: 'no address', password: '' }, 422, 'invalid_input', ['email', 'password']],
    [{ ...right, username }, 409, 'username_taken', ['username']],
  ];
  const answers: Answer[] = [];
  for (const [body, status, code, fields] of attempts) {
    const answer = await organizer.post('/client/end-users', body);
    noteIfMade(run, answer);
    answers.push(refused(answer, status, code, fields));
  }
  return answers;
}

/** Records an end user whose creation should have been refused, so that it is deleted. */
function noteIfMade({ world }: Run, { status, body }: Answer): void {
  const id = (body as { data?: { id?: string } } | undefined)?.data?.id;
  if (status === 201 && id) {
    world.noteEndUser(id);
  }
}

async function change(run: Run, organizer: Caller, user: Added): Promise<Answer> {
  const wanted = { name: run.world.name('changed'), weight: 3.5 };
  const answer = await organizer.put(`/client/end-users/${user.id}`, wanted);
  bodyOf(answer, 200);
  Object.assign(user, wanted);
  expectSame(await read(organizer, user.id), user);
  return answer;
}

async function renewPassword(run: Run, organizer: Caller, user: Added, session: Caller): Promise<Answer[]> {
  const renewal = await organizer.post(`/client/end-users/${user.id}/export-credentials`);
  const { data } = bodyOf<{ data: Credentials }>(renewal, 200);
  same('The username in the credentials', data.username, user.username);
  hold(data.password !== user.password, 'The exported password is the old one', null);
  const stopped = refused(await session.get('/voting/meetings'), 401, 'session_ended');
  const old = refused(await signIn(run, user.username, user.password), 401, 'invalid_credentials');
  user.password = data.password;
  const again = await run.world.signInVoter(user);
  const list = await again.get('/voting/meetings');
  bodyOf(list, 200);
  return [renewal, stopped, old, list];
}

async function signIn(run: Run, username: string, password: string): Promise<Answer> {
  const { clientCode } = await run.world.organization();
  return run.own.as(null).post('/auth/end-user/login', { clientCode, username, password });
}

async function deactivate(run: Run, organizer: Caller, user: Added): Promise<Answer[]> {
  const session = await run.world.signInVoter(user);
  const answer = await organizer.put(`/client/end-users/${user.id}`, { isActive: false });
  bodyOf(answer, 200);
  same('Whether the deactivated end user is active', (await read(organizer, user.id)).isActive, false);
  return [
    answer,
    refused(await session.get('/voting/meetings'), 401, 'session_ended'),
    refused(await signIn(run, user.username, user.password), 401, 'invalid_credentials'),
  ];
}

async function remove(organizer: Caller, users: Added[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const { id } of users) {
    bodyOf(await organizer.delete(`/client/end-users/${id}`), 200);
    answers.push(refused(await organizer.get(`/client/end-users/${id}`), 404, 'end_user_not_found'));
  }
  return answers;
}
