import { type Answer, codeOf } from '../../../../shared/diagnostics/run/answer';
import type { Diagnostic, Run } from '../../../../shared/diagnostics/run/diagnostic';
import { hold, refused, same } from '../../../../shared/diagnostics/run/expect';
import { success } from '../../../../shared/diagnostics/run/finding';
import { Steps } from '../../../../shared/diagnostics/run/steps';
import type { TestVoter } from '../../../../shared/diagnostics/run/test-world';
import { bodyOf } from '../../../../shared/diagnostics/run/unexpected';
import { randomPassword } from '../../../../shared/random-password';

interface Pair {
  token: string;
  refreshToken: string;
}

interface SignedIn extends Pair {
  user: { id: string; role: string; username: string | null; email: string | null };
}

const STEPS = { CLIENT: 18, SUPER_ADMIN: 22 };
const NOT_A_TOKEN = 'not.a.token';

export const authenticationEndpoints: Diagnostic = {
  name: 'Authentication Endpoints',
  about: 'Signs test people in and out, renews their tokens, and tries calls that must be refused.',
  run: async (run) => {
    const steps = new Steps(run, STEPS[run.portal]);
    await checkOwnToken(run, steps);
    await checkRefusedSignIns(run, steps);
    if (run.portal === 'SUPER_ADMIN') {
      await checkAccount(run, steps);
    }
    await checkVoter(run, steps);
    return success(
      `Signing in, renewing and signing out work, and the calls that must be refused are refused (${steps.reports.length} steps).`,
      { steps: steps.reports },
    );
  },
};

/** Checks the owner of the person's token, and the answers to a missing or an invalid one. */
async function checkOwnToken({ own, portal }: Run, steps: Steps): Promise<void> {
  await steps.step('Look up the owner of your token', async () => {
    const answer = await own.get('/test/auth');
    const { details } = bodyOf<{ details: { userRole: string } }>(answer, 200);
    same('The role of your token', details.userRole, portal);
    return answer;
  });
  await steps.step('Refuse a call without a token (401)', async () =>
    refused(await own.as(null).get('/auth/me'), 401, 'authentication_required'),
  );
  await steps.step('Refuse a token that is not valid (403)', async () =>
    refused(await own.as({ token: NOT_A_TOKEN }).get('/auth/me'), 403, 'invalid_token'),
  );
}

/** Only names that do not exist: a failed sign-in counts against its name. */
async function checkRefusedSignIns({ own, world }: Run, steps: Steps): Promise<void> {
  const nobody = own.as(null);
  await steps.step('Refuse a sign-in with empty fields (422)', async () => [
    refused(await nobody.post('/auth/login', { email: '', password: '' }), 422, 'invalid_input', [
      'email',
      'password',
    ]),
    refused(
      await nobody.post('/auth/end-user/login', { clientCode: '', username: '', password: '' }),
      422,
      'invalid_input',
      ['username', 'password'],
    ),
  ]);
  await steps.step('Refuse a sign-in with an unknown address (401)', async () =>
    refused(await nobody.post('/auth/login', world.newAdministrator()), 401, 'invalid_credentials'),
  );
  await steps.step('Refuse a made-up refresh token (401)', async () =>
    refused(await nobody.post('/auth/refresh', { refreshToken: randomPassword() }), 401),
  );
}

/** Uses an administrator of a test client, because an organizer's own password must not be tried. */
async function checkAccount({ own, world }: Run, steps: Steps): Promise<void> {
  const nobody = own.as(null);
  const admin = world.newAdministrator();
  await steps.step('Create a test client', () => world.addClient(admin));
  await steps.step('Refuse a wrong password of its administrator (401)', async () =>
    refused(
      await nobody.post('/auth/login', { ...admin, password: randomPassword() }),
      401,
      'invalid_credentials',
    ),
  );
  await steps.step('Refuse its administrator at the other portal (403)', async () =>
    refused(await nobody.post('/auth/login', { ...admin, portal: 'SUPER_ADMIN' }), 403, 'access_denied'),
  );
  await steps.step('Sign its administrator in, and out again', async () => {
    const signIn = await nobody.post('/auth/login', { ...admin, portal: 'CLIENT' });
    const { token, user } = signedIn(signIn);
    same('The role of the administrator', user.role, 'CLIENT');
    same('The address of the administrator', user.email, admin.email);
    const me = own.as({ token });
    const out = await me.post('/auth/logout');
    bodyOf(out, 200);
    return [signIn, out, refused(await me.get('/auth/me'), 401)];
  });
}

async function checkVoter({ own, world }: Run, steps: Steps): Promise<void> {
  const nobody = own.as(null);
  const { clientCode, id: clientId } = await steps.step('Find the organization', () => world.organization());
  const [voter] = await steps.step('Create a test voter', () => world.addVoters(1));
  const { id, username, password } = voter as TestVoter;
  const signIn = (body: object) => nobody.post('/auth/end-user/login', { username, password, ...body });

  await steps.step('Refuse a wrong password of a voter (401)', async () =>
    refused(await signIn({ clientCode, password: randomPassword() }), 401, 'invalid_credentials'),
  );
  const byCode = await steps.step('Sign a voter in by organization code', () => signIn({ clientCode }));
  const first = signedIn(byCode);
  same('The person who was signed in', first.user.id, id);
  same('The role of a voter', first.user.role, 'END_USER');
  await steps.step('Sign a voter in by organization id', async () => {
    const answer = await signIn({ clientId });
    same('The person who was signed in', signedIn(answer).user.id, id);
    return answer;
  });
  await steps.step('Look up the person who is signed in', async () => {
    const answer = await own.as(first).get('/auth/me');
    const { user } = bodyOf<{ user: SignedIn['user'] }>(answer, 200);
    same('The username in the answer', user.username, username);
    return answer;
  });
  await steps.step("Refuse a voter in an administrator's area (403)", async () =>
    refused(await own.as(first).get('/test/auth'), 403, 'wrong_role'),
  );
  await checkRenewal(own, first, steps);
}

/** Reuse of a refresh token after more than 30 seconds is not tested, because the test would have to wait. */
async function checkRenewal(own: Run['own'], first: Pair, steps: Steps): Promise<void> {
  const nobody = own.as(null);
  const renew = ({ refreshToken }: Pair) => nobody.post('/auth/refresh', { refreshToken });
  const renewal = await steps.step('Renew the tokens', () => renew(first));
  const second = pairOf(renewal);
  hold(second.refreshToken !== first.refreshToken, 'Renewing returned the same refresh token', renewal);
  await steps.step('Use the new token', async () => {
    const answer = await own.as(second).get('/auth/me');
    bodyOf(answer, 200);
    return answer;
  });
  const again = await steps.step('Renew again with the first refresh token, as a second tab does', () =>
    renew(first),
  );
  const third = pairOf(again);
  hold(
    third.refreshToken === second.refreshToken,
    'A refresh token that was used twice returned two refresh tokens',
    again,
  );
  await steps.step('Sign out', async () => {
    const answer = await own.as(third).post('/auth/logout');
    bodyOf(answer, 200);
    return answer;
  });
  await steps.step('Refuse every token of a session that was signed out (401)', async () => {
    const answers: Answer[] = [];
    for (const pair of [first, second, third]) {
      answers.push(refused(await own.as(pair).get('/auth/me'), 401));
      answers.push(refused(await renew(pair), 401));
    }
    return answers;
  });
}

function signedIn(answer: Answer): SignedIn {
  const session = bodyOf<SignedIn>(answer, 200);
  hold(isPair(session) && Boolean(session.user), `${answer.call} answered no session`, answer);
  return session;
}

function pairOf(answer: Answer): Pair {
  const pair = bodyOf<Pair>(answer, 200);
  hold(isPair(pair), `${answer.call} answered no tokens (code ${codeOf(answer) ?? 'none'})`, answer);
  return pair;
}

function isPair(pair: Partial<Pair> | undefined): boolean {
  return typeof pair?.token === 'string' && typeof pair.refreshToken === 'string';
}
