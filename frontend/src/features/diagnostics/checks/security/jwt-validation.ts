import {
  type Area,
  callArea,
  calls,
  liveAreas,
  nameOf,
  wrongRefusal,
} from '../../../../shared/diagnostics/parts/areas';
import type { Claims } from '../../../../shared/diagnostics/parts/forged-tokens';
import { NOBODYS_ID } from '../../../../shared/diagnostics/parts/nobodys-id';
import { tokenOf } from '../../../../shared/diagnostics/parts/own-token';
import { startMeeting } from '../../../../shared/diagnostics/parts/running-meeting';
import {
  type Attempt,
  attemptsOn,
  attemptsOnExpired,
  ENDED,
} from '../../../../shared/diagnostics/parts/token-attempts';
import type { Caller } from '../../../../shared/diagnostics/run/caller';
import type { Diagnostic, Run } from '../../../../shared/diagnostics/run/diagnostic';
import { type Finding, failure, success, warning } from '../../../../shared/diagnostics/run/finding';
import { several } from '../../../../shared/diagnostics/run/several';
import { Steps } from '../../../../shared/diagnostics/run/steps';
import { bodyOf } from '../../../../shared/diagnostics/run/unexpected';

const AT_ONCE = 4;
const STEPS = 6;
/** The time for which another instance of the server may accept a token of an ended session. */
const INSTANCES_AGREE_MS = 65_000;
const ASK_AGAIN_MS = 5_000;

/** A person with a valid token, and the areas that it opens. */
interface Owner {
  role: string;
  caller: Caller;
  token: string;
  areas: Area[];
  /** The areas of other roles, which only a forged token could open. */
  others: Area[];
  /** The claims of an attacker who had the key. */
  changes: Record<string, Claims>;
}

interface Problem {
  token: string;
  of: string;
  call: string;
  problem: string;
}

interface Tried {
  calls: number;
  kinds: Set<string>;
  problems: Problem[];
}

export const jwtValidation: Diagnostic = {
  name: 'JWT Validation',
  about: 'Tries missing, forged, expired and ended access tokens in several areas, streams included.',
  run: validateTokens,
};

async function validateTokens(run: Run): Promise<Finding> {
  const steps = new Steps(run, STEPS);
  const { owners, leaving, deleted } = await steps.step('Creating test voters and a meeting', () =>
    people(run),
  );
  const outcome: Tried = { calls: 0, kinds: new Set(), problems: [] };

  await steps.step('Checking that valid tokens are accepted', () => goodTokens(run, owners));
  await steps.step('Trying forged tokens', async () => {
    for (const owner of owners) {
      await tryAll(run, owner, attemptsOn(owner.token, owner.changes), outcome);
    }
  });
  await steps.step('Trying expired tokens', async () => {
    // Not only as a super administrator: streams are for organizers and voters.
    for (const owner of owners.filter(({ role }) => role !== 'END_USER')) {
      const answer = await owner.caller.get('/test/expired-token');
      const { token } = bodyOf<{ token: string }>(answer, 200);
      await tryAll(run, owner, attemptsOnExpired(token), outcome);
    }
  });
  const late = await steps.step('Trying tokens of sessions that have ended', async () => {
    bodyOf(await leaving.caller.post('/auth/logout'), 200);
    const organizer = await run.world.organizer();
    bodyOf(await organizer.delete(`/client/end-users/${deleted.id}`), 200);
    const afterSignOut = await tryUntilEnded(run, leaving, 'signed out', outcome);
    const afterDeletion = await tryUntilEnded(run, deleted, 'of a deleted person', outcome);
    return Math.max(afterSignOut, afterDeletion);
  });
  // Tokens may have been renewed meanwhile; their owners are the same.
  await steps.step('Checking that valid tokens are still accepted', () => goodTokens(run, owners));
  return findingOf(run, outcome, late);
}

async function people(
  run: Run,
): Promise<{ owners: Owner[]; leaving: Owner; deleted: Owner & { id: string } }> {
  const voters = await run.world.addVoters(3);
  const meeting = await startMeeting(run, voters, ['TEST_Tokens']);
  const { id: clientId } = await run.world.organization();
  const ownerOf = async (owner: Omit<Owner, 'token'>): Promise<Owner> => ({
    ...owner,
    token: await tokenOf(owner.caller),
  });
  const organizerAreas = [
    ...calls('/client/end-users?page=1&pageSize=1', `/client/meetings/${meeting.id}/results`, '/test/auth'),
    ...liveAreas(meeting.id),
  ];
  const voterAreas = [
    ...calls('/auth/me', '/voting/meetings', `/voting/meetings/${meeting.id}`),
    ...liveAreas(meeting.id),
  ];
  const asVoter = async (index: number) => {
    const voter = voters[index] as (typeof voters)[number];
    const changes = {
      'changed role': { role: 'CLIENT' },
      'changed person': { sub: voters[(index + 1) % voters.length]?.id },
    };
    const caller = await run.world.signInVoter(voter);
    const others = calls('/client/end-users?page=1&pageSize=1');
    const owner = await ownerOf({ role: 'END_USER', caller, areas: voterAreas, others, changes });
    return { ...owner, id: voter.id };
  };
  const organizer = await ownerOf({
    role: 'CLIENT',
    caller: meeting.organizer,
    areas: organizerAreas,
    others: calls('/clients?page=1&pageSize=1'),
    changes: {
      'changed role': { role: 'SUPER_ADMIN', cid: undefined },
      'changed organization': { cid: NOBODYS_ID },
    },
  });
  const [staying, leaving, deleted] = [await asVoter(0), await asVoter(1), await asVoter(2)];
  if (run.portal === 'CLIENT') {
    return { owners: [organizer, staying], leaving, deleted };
  }
  const own = await ownerOf({
    role: 'SUPER_ADMIN',
    caller: run.own,
    areas: calls('/auth/me', '/clients?page=1&pageSize=1', '/sessions/stats', '/test/auth'),
    others: calls('/client/end-users?page=1&pageSize=1'),
    changes: { 'changed role': { role: 'CLIENT', cid: clientId } },
  });
  return { owners: [own, organizer, staying], leaving, deleted };
}

/** If valid tokens were refused, the refusals below would prove nothing. */
async function goodTokens(run: Run, owners: Owner[]): Promise<void> {
  for (const { caller, areas } of owners) {
    const token = await tokenOf(caller);
    await several(areas, AT_ONCE, async (area) => {
      bodyOf(await callArea(run, area, token), 200);
    });
  }
}

async function tryAll(run: Run, owner: Owner, attempts: Attempt[], outcome: Tried): Promise<void> {
  const probes = attempts.flatMap((attempt) => areasOf(owner).map((area) => ({ attempt, area })));
  const problems = await several(probes, AT_ONCE, ({ attempt, area }) =>
    problemAt(run, owner, area, attempt, outcome),
  );
  outcome.problems.push(...problems.filter((problem) => problem !== undefined));
}

/**
 * Tries a token of an ended session, and repeats the calls that were not refused correctly. Several instances of the
 * server may share a database. The others learn of the end within a minute, and each call may reach another instance.
 * Returns the milliseconds until every call was refused.
 */
async function tryUntilEnded(run: Run, owner: Owner, kind: string, outcome: Tried): Promise<number> {
  const attempt: Attempt = { kind, token: owner.token, expected: ENDED };
  let areas = areasOf(owner);
  for (let waited = 0; ; waited += ASK_AGAIN_MS) {
    const found = await several(areas, AT_ONCE, async (area) => ({
      area,
      problem: await problemAt(run, owner, area, attempt, outcome),
    }));
    const problems = found.flatMap(({ problem }) => problem ?? []);
    if (problems.length === 0 || waited >= INSTANCES_AGREE_MS) {
      outcome.problems.push(...problems);
      return waited;
    }
    areas = found.filter(({ problem }) => problem !== undefined).map(({ area }) => area);
    await run.pause(ASK_AGAIN_MS);
  }
}

function areasOf({ areas, others }: Owner): Area[] {
  return [...areas, ...others];
}

/** The problem of one attempt; undefined if it is refused correctly. */
async function problemAt(
  run: Run,
  { role }: Owner,
  area: Area,
  { kind, token, expected }: Attempt,
  outcome: Tried,
): Promise<Problem | undefined> {
  const problem = wrongRefusal(await callArea(run, area, token), expected);
  outcome.calls += 1;
  outcome.kinds.add(kind);
  return problem === undefined ? undefined : { token: kind, of: role, call: nameOf(area), problem };
}

function findingOf(run: Run, { calls: number, kinds, problems }: Tried, late: number): Finding {
  const details = { calls: number, kindsOfTokens: [...kinds], problems };
  const [worst] = [...problems].sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)));
  if (worst) {
    const what = `A token (${worst.token}, ${worst.of}) ${worst.problem} at ${worst.call}`;
    const others = problems.length > 1 ? `, and ${problems.length - 1} more` : '';
    const advice = isOpen(worst)
      ? 'Do not use this installation until that is fixed: others can act in the name of its people.'
      : 'Check the proxies between this browser and the server, and the version of the server.';
    return failure(`${what}${others}. ${advice}`, details);
  }
  if (late > 0) {
    const seconds = Math.round(late / 1000);
    return warning(
      `All forged and expired tokens were refused, but a session that was ended went on for ${seconds} seconds, because the other instances of the server learn of it only then.`,
      details,
    );
  }
  const scope = run.portal === 'CLIENT' ? ' Tokens of super administrators cannot be tried from here.' : '';
  return success(
    `All ${kinds.size} kinds of bad tokens were refused in ${number} calls, streams included, and good tokens work.${scope}`,
    details,
  );
}

function isOpen({ problem }: Problem): boolean {
  return problem.startsWith('was let in') || problem.includes('sent data');
}
