import type { Client } from '../../../../api/types';
import { NOBODYS_ID } from '../../../../shared/diagnostics/parts/nobodys-id';
import { type Answer, codeOf } from '../../../../shared/diagnostics/run/answer';
import type { Caller } from '../../../../shared/diagnostics/run/caller';
import type { Diagnostic, Run } from '../../../../shared/diagnostics/run/diagnostic';
import { hold, refused, same } from '../../../../shared/diagnostics/run/expect';
import { type Finding, success } from '../../../../shared/diagnostics/run/finding';
import { Steps } from '../../../../shared/diagnostics/run/steps';
import { findNamed } from '../../../../shared/diagnostics/run/test-data';
import { TEST_CLIENT_PREFIX } from '../../../../shared/diagnostics/run/test-names';
import { bodyOf, Unexpected } from '../../../../shared/diagnostics/run/unexpected';
import { TEST_PREFIX } from '../../../../shared/test-data';

const STEPS = 13;
/** A real client may be created or deleted between two calls. */
const COUNTS = 3;

export const clientCrud: Diagnostic = {
  name: 'Client CRUD Operations',
  about: 'Creates, reads, finds, changes and deletes a test client, and tries calls that must be refused.',
  run: (run) => (run.portal === 'SUPER_ADMIN' ? checkClients(run) : checkRefusals(run)),
};

async function checkClients(run: Run): Promise<Finding> {
  const { own, world } = run;
  const steps = new Steps(run, STEPS);
  const admin = world.newAdministrator();
  await steps.step('Count the clients', () => checkCount(own));
  const client = await steps.step('Create a client', () => world.addClient(admin));
  const path = `/clients/${client.id}`;
  await steps.step('Read it', async () => {
    const answer = await own.get(path);
    const read = clientOf(answer);
    same('The name of the client', read.name, client.name);
    same('The address of the client', read.contactEmail, admin.email);
    same('The administrator of the client', read.users[0]?.email, admin.email);
    return answer;
  });
  await steps.step('Find it by its name', () => checkFound(run, client.name, client.id));
  await steps.step('Check that the statistics leave it out', () => checkCount(own));
  const token = await steps.step('Sign its administrator in', () => world.signInAccount(admin));
  await steps.step('Refuse a second client with this sign-in (409)', async () => {
    const answer = await own.post('/clients', { ...wanted(world.name('', TEST_CLIENT_PREFIX)), ...admin });
    noteIfMade(run, answer);
    return refused(answer, 409, 'email_taken', ['email']);
  });
  await steps.step('Refuse a client without its required fields (422)', async () => {
    const invalid = { name: '', firstName: '', lastName: '', email: 'no address', password: 'short' };
    const answer = await own.post('/clients', invalid);
    noteIfMade(run, answer);
    return refused(answer, 422, 'invalid_input', Object.keys(invalid));
  });
  await steps.step('Change it, and read the changes', async () => {
    const name = world.name('changed', TEST_CLIENT_PREFIX);
    const change = { name, subscriptionPlan: 'ENTERPRISE', contactEmail: `changed.${admin.email}` };
    const answer = await own.put(path, change);
    bodyOf(answer, 200);
    const { subscriptionPlan, contactEmail, ...read } = clientOf(await own.get(path));
    same('The changed client', { name: read.name, subscriptionPlan, contactEmail }, change);
    return answer;
  });
  await steps.step('Refuse a change of an unknown client (404)', async () =>
    refused(await own.put(`/clients/${NOBODYS_ID}`, { subscriptionPlan: 'BASIC' }), 404),
  );
  await steps.step('Delete it', async () => {
    const answer = await own.delete(path);
    bodyOf(answer, 200);
    return answer;
  });
  await steps.step('Confirm that it is gone (404)', async () => [
    refused(await own.get(path), 404),
    refused(await own.put(path, { subscriptionPlan: 'BASIC' }), 404),
    refused(await own.delete(path), 404),
  ]);
  await steps.step('Refuse the token of its administrator (401)', async () =>
    refused(await token.get('/auth/me'), 401),
  );
  return success(
    `Creating, reading, finding, changing and deleting a client work (${steps.reports.length} steps).`,
    { steps: steps.reports },
  );
}

function wanted(name: string) {
  return { name, firstName: 'Test', lastName: 'Administrator' };
}

/** Records a client whose creation should have been refused, so that it is deleted. */
function noteIfMade({ world }: Run, answer: Answer): void {
  const id = (answer.body as { data?: { id?: string } } | undefined)?.data?.id;
  if (answer.status === 201 && id) {
    world.noteClient(id);
  }
}

function clientOf(answer: Answer): Client {
  const { data } = bodyOf<{ data: Client }>(answer, 200);
  hold(typeof data?.id === 'string', `${answer.call} answered no client`, answer);
  return data;
}

async function checkFound({ own, portal }: Run, name: string, id: string): Promise<void> {
  const { clients } = await findNamed(own, portal, name);
  same(
    `What a search for ${name} finds`,
    clients.map((client) => client.id),
    [id],
  );
}

/** Checks that the statistics count every client except the test clients; the details contain their number. */
async function checkCount(own: Caller): Promise<Answer> {
  for (let count = 1; ; count += 1) {
    const answer = await own.get('/clients/stats');
    const { total } = bodyOf<{ data: { total: number } }>(answer, 200).data;
    const all = await own.get('/clients?page=1&pageSize=1');
    const { meta } = bodyOf<{ meta: { total: number } }>(all, 200);
    const { clients } = await findNamed(own, 'SUPER_ADMIN', TEST_PREFIX);
    const tests = clients.filter(({ name }) => name.startsWith(TEST_PREFIX)).length;
    if (total === meta.total - tests) {
      return answer;
    }
    if (count === COUNTS) {
      throw new Unexpected(
        `The statistics count ${total} clients, and the list has ${meta.total}, of which ${tests} are test clients. Test data must not count.`,
        answer,
      );
    }
  }
}

/** An organizer may do none of these. Calls that could do harm name a client that does not exist. */
async function checkRefusals(run: Run): Promise<Finding> {
  const { own, world } = run;
  const body = { ...wanted(world.name('', TEST_CLIENT_PREFIX)), ...world.newAdministrator() };
  const calls: [string, () => Promise<Answer>][] = [
    ['list the clients', () => own.get('/clients?page=1&pageSize=1')],
    ['create a client', () => own.post('/clients', body)],
    ['read a client', () => own.get(`/clients/${NOBODYS_ID}`)],
    ['change a client', () => own.put(`/clients/${NOBODYS_ID}`, { subscriptionPlan: 'BASIC' })],
    ['delete a client', () => own.delete(`/clients/${NOBODYS_ID}`)],
    ['count the clients', () => own.get('/clients/stats')],
    ['count the sessions', () => own.get('/sessions/stats')],
    ['list the accounts', () => own.get('/accounts?page=1&pageSize=1')],
    ['report on the clients', () => own.get('/reports/clients?page=1&pageSize=1')],
  ];
  const steps = new Steps(run, calls.length);
  for (const [doing, call] of calls) {
    await steps.step(`Refuse to ${doing} (403)`, async () => {
      const answer = await call();
      noteIfMade(run, answer);
      hold(
        answer.status === 403 && codeOf(answer) === 'wrong_role',
        `your role must not make this call, but ${answer.call} answered ${answer.status} (${codeOf(answer) ?? 'no code'})`,
        answer,
      );
      return answer;
    });
  }
  return success(
    `Only super administrators manage clients. The server refused all ${calls.length} calls (403).`,
    { steps: steps.reports },
  );
}
