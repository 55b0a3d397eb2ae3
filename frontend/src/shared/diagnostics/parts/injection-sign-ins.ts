import { randomPassword } from '../../random-password';
import type { Run } from '../run/diagnostic';
import { type Injected, type Place, problemWith } from './injecting';
import type { InjectionScene } from './injection-places';
import { type Injection, SLEEP_MS } from './injections';

/**
 * The server counts failed sign-ins, and too many block everybody behind this address. So there are only five. One uses
 * an injected password with a test voter's name; the others use names that do not exist.
 */
export async function injectIntoSignIns(run: Run, scene: InjectionScene, outcome: Injected): Promise<void> {
  const nobody = run.own.as(null);
  const { clientCode } = scene;
  const username = scene.voters[0]?.voter.username ?? '';
  const password = randomPassword();
  const byUsername: Place = {
    name: 'username of POST /auth/end-user/login',
    send: (text) =>
      nobody.post('/auth/end-user/login', { clientCode, username: `${username}${text}`, password }),
    allowed: [401, 422],
  };
  const byPassword: Place = {
    name: 'password of POST /auth/end-user/login',
    send: (text) => nobody.post('/auth/end-user/login', { clientCode, username, password: text }),
    allowed: [401, 422],
  };
  const byClientCode: Place = {
    name: 'clientCode of POST /auth/end-user/login',
    send: (text) =>
      nobody.post('/auth/end-user/login', { clientCode: `${clientCode}${text}`, username, password }),
    allowed: [401, 422],
  };
  const byEmail: Place = {
    name: 'email of POST /auth/login',
    send: (text) => nobody.post('/auth/login', { email: `TEST_nobody@plenum.test${text}`, password }),
    allowed: [401, 422],
  };
  const comment: Injection = { kind: 'comment', text: "' --" };
  const tautology: Injection = { kind: 'tautology', text: "' OR '1'='1" };
  const sleeping: Injection = { kind: 'sleeping', text: `'; SELECT pg_sleep(${SLEEP_MS / 1000}) --` };
  const times = [
    await signIn(byUsername, comment, outcome),
    await signIn(byPassword, tautology, outcome),
    await signIn(byClientCode, tautology, outcome),
    await signIn(byEmail, tautology, outcome),
  ];
  const late = await signIn(byUsername, sleeping, outcome);
  // Each of them hashes a password, or takes as long. The slowest shows how long that can take.
  const usual = Math.max(...times);
  if (late >= usual + SLEEP_MS * 0.75) {
    const problem = `was answered after ${Math.round(late)} ms, others after ${Math.round(usual)} ms at most: the database may have executed the pause`;
    outcome.problems.push({ place: byUsername.name, ...sleeping, problem, isHole: true });
  }
}

async function signIn(place: Place, injection: Injection, outcome: Injected): Promise<number> {
  const answer = await place.send(injection.text);
  outcome.calls += 1;
  const found =
    answer.status === 429
      ? { problem: 'was not tried, because too many sign-ins had just failed', isHole: false }
      : problemWith(place, answer, injection);
  if (found) {
    outcome.problems.push({ place: place.name, ...injection, ...found });
  }
  return answer.ms;
}
