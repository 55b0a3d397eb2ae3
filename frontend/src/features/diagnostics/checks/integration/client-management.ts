import { throwIfAborted } from '../../../../api/abort';
import type { Client } from '../../../../api/types';
import { NOBODYS_ID } from '../../../../shared/diagnostics/parts/nobodys-id';
import type { Answer } from '../../../../shared/diagnostics/run/answer';
import type { Caller } from '../../../../shared/diagnostics/run/caller';
import type { Diagnostic, Run } from '../../../../shared/diagnostics/run/diagnostic';
import { hold, refused, same } from '../../../../shared/diagnostics/run/expect';
import { type Finding, failure, success } from '../../../../shared/diagnostics/run/finding';
import { Steps } from '../../../../shared/diagnostics/run/steps';
import { bodyOf } from '../../../../shared/diagnostics/run/unexpected';
import { randomPassword } from '../../../../shared/random-password';

export const clientManagement: Diagnostic = {
  name: 'Client Management',
  about:
    'Creates a client, finds, changes, deactivates, reactivates and deletes it. For client administrators, it checks that all of this is refused.',
  run: (run) => (run.portal === 'SUPER_ADMIN' ? manageClient(run) : checkRefusals(run)),
};

/** A client, its administrator and one of its voters, both signed in. */
interface Founded {
  client: Client;
  account: { email: string; password: string };
  admin: Caller;
  voterLogin: { clientCode: string; username: string; password: string };
  voter: Caller;
}

async function manageClient(run: Run): Promise<Finding> {
  const steps = new Steps(run, 10);
  const { own } = run;
  const before = await steps.step('Count the clients', () => totalOf(own));
  const founded = await steps.step('Create a client with an administrator and a voter', () => found(run));
  const { client } = founded;
  await steps.step('It is not counted in the statistics', () => expectUncounted(own, before));
  await steps.step('Find it by search', () => expectListed(own, client, 1));
  await steps.step('Read it', async () => {
    const { data } = bodyOf<{ data: Client }>(await own.get(`/clients/${client.id}`), 200);
    same('The name of the client', data.name, client.name);
    same('The number of its end users', data._count.endUsers, 1);
  });
  await steps.step('Change its name and its plan', () => change(run, client));
  await steps.step('Deactivate it: sign-ins are refused, running sessions end', () =>
    deactivate(own, founded),
  );
  await steps.step('Reactivate it: people can sign in again', () => reactivate(own, founded));
  await steps.step('Delete it: it is gone, and its sessions end', () => remove(own, founded));
  await steps.step('Confirm that it is gone', () => expectListed(own, client, 0));
  return success(
    'A client was created, found, read, changed, deactivated, reactivated and deleted; while it was inactive and after it was deleted, its people could not sign in.',
    { steps: steps.reports },
  );
}

async function found({ own, world }: Run): Promise<Founded> {
  const account = world.newAdministrator();
  const client = await world.addClient(account);
  const admin = await world.signInAccount(account);
  const username = world.name('voter');
  const password = randomPassword();
  bodyOf(await admin.post('/client/end-users', { name: username, username, password }), 201);
  const voterLogin = { clientCode: client.clientCode, username, password };
  const answer = await own.as(null).post('/auth/end-user/login', voterLogin);
  const voter = own.as({ token: bodyOf<{ token: string }>(answer, 200).token });
  return { client, account, admin, voterLogin, voter };
}

async function totalOf(own: Caller): Promise<number> {
  return bodyOf<{ data: { total: number } }>(await own.get('/clients/stats'), 200).data.total;
}

async function expectUncounted(own: Caller, before: number): Promise<void> {
  const after = await totalOf(own);
  const hint = 'If somebody else added or deleted clients at this moment, run the test again';
  hold(
    after === before,
    after === before + 1
      ? `The number of clients went from ${before} to ${after}: the test client must not be counted. ${hint}`
      : `The number of clients went from ${before} to ${after}. ${hint}`,
  );
}

async function expectListed(own: Caller, { id, name }: Client, times: number): Promise<Answer> {
  const answer = await own.get(`/clients?search=${encodeURIComponent(name)}`);
  const { data } = bodyOf<{ data: Client[] }>(answer, 200);
  const found = data.filter((client) => client.id === id).length;
  hold(
    found === times,
    `A search for ${name} found it ${found} times instead of ${times === 0 ? 'not at all' : 'once'}`,
    answer,
  );
  return answer;
}

async function change({ own, world }: Run, client: Client): Promise<Answer> {
  const name = world.name('', 'TEST_CLIENT_renamed').replaceAll('__', '_');
  const answer = await own.put(`/clients/${client.id}`, { name, subscriptionPlan: 'PRO' });
  bodyOf(answer, 200);
  const { data } = bodyOf<{ data: Client }>(await own.get(`/clients/${client.id}`), 200);
  same('The name after the change', data.name, name);
  same('The plan after the change', data.subscriptionPlan, 'PRO');
  client.name = name;
  return answer;
}

async function setStatus(own: Caller, { id }: Client, status: Client['status']): Promise<void> {
  bodyOf(await own.put(`/clients/${id}`, { status }), 200);
  const { data } = bodyOf<{ data: Client }>(await own.get(`/clients/${id}`), 200);
  same('The status of the client', data.status, status);
}

/** Includes two refused sign-ins, with random names: no real account is rate limited. */
async function deactivate(
  own: Caller,
  { client, account, admin, voterLogin, voter }: Founded,
): Promise<Answer[]> {
  await setStatus(own, client, 'INACTIVE');
  const nobody = own.as(null);
  return [
    refused(await nobody.post('/auth/login', account), 401, 'invalid_credentials'),
    refused(await nobody.post('/auth/end-user/login', voterLogin), 401, 'invalid_credentials'),
    refused(await admin.get('/client/end-users'), 401, 'session_ended'),
    refused(await voter.get('/voting/meetings'), 401, 'session_ended'),
  ];
}

async function reactivate(own: Caller, { client, admin, voterLogin }: Founded): Promise<Answer[]> {
  await setStatus(own, client, 'ACTIVE');
  const answers = [
    await own.as(null).post('/auth/end-user/login', voterLogin),
    await admin.get('/client/end-users'),
  ];
  for (const answer of answers) {
    bodyOf(answer, 200);
  }
  return answers;
}

async function remove(own: Caller, { client, admin, voter }: Founded): Promise<Answer[]> {
  bodyOf(await own.delete(`/clients/${client.id}`), 200);
  return [
    refused(await own.get(`/clients/${client.id}`), 404, 'client_not_found'),
    refused(await admin.get('/client/end-users'), 401, 'session_ended'),
    refused(await voter.get('/voting/meetings'), 401, 'session_ended'),
    refused(await own.as(null).get(`/public/client/${client.clientCode}`), 404, 'client_not_found'),
  ];
}

/** Every call of client management, with nothing that a server could execute. */
const REACHED_BY_SUPER_ADMINS: ((own: Caller) => Promise<Answer>)[] = [
  (own) => own.get('/clients'),
  (own) => own.get('/clients/stats'),
  (own) => own.get(`/clients/${NOBODYS_ID}`),
  (own) => own.post('/clients', {}),
  (own) => own.put(`/clients/${NOBODYS_ID}`, {}),
  (own) => own.delete(`/clients/${NOBODYS_ID}`),
  (own) => own.get('/reports/clients'),
  (own) => own.get('/reports/clients/export'),
];

async function checkRefusals({ own, signal, progress }: Run): Promise<Finding> {
  const found: { call: string; status: number }[] = [];
  const wrong: string[] = [];
  for (const [index, send] of REACHED_BY_SUPER_ADMINS.entries()) {
    throwIfAborted(signal);
    progress(index, REACHED_BY_SUPER_ADMINS.length, 'Trying the calls reserved for super administrators');
    const answer = await send(own);
    found.push({ call: answer.call, status: answer.status });
    wrong.push(...wrongRefusal(answer));
  }
  const details = { expected: '403 wrong_role', calls: found };
  return wrong.length === 0
    ? success(
        `Only super administrators manage clients. All ${found.length} calls of client management were refused with 403, as they must be.`,
        details,
      )
    : failure(
        `Only super administrators manage clients, but the server does not refuse every call of a client administrator: ${wrong.join(' ')} Inform the server's operator.`,
        details,
      );
}

function wrongRefusal(answer: Answer): string[] {
  try {
    refused(answer, 403, 'wrong_role');
    return [];
  } catch (error) {
    return [`${(error as Error).message.replace(/\.$/, '')}.`];
  }
}
