import { tokenOf } from '../../../../shared/diagnostics/parts/own-token';
import { type Cast, castOf, type Role } from '../../../../shared/diagnostics/parts/roles';
import { beginningOfStream } from '../../../../shared/diagnostics/parts/stream-call';
import { type Answer, codeOf } from '../../../../shared/diagnostics/run/answer';
import type { Caller } from '../../../../shared/diagnostics/run/caller';
import type { Diagnostic, Run } from '../../../../shared/diagnostics/run/diagnostic';
import { type Finding, failure, success, warning } from '../../../../shared/diagnostics/run/finding';
import { bodyOf } from '../../../../shared/diagnostics/run/unexpected';

/** The expected status of each role: a success, or one of the refusals. */
type Expected = Record<Role, number>;

interface Call {
  area: string;
  call: string;
  expected: Expected;
  /** The expected error codes, if they differ from those of other calls. */
  codes?: Partial<Record<Role, string>>;
  send: (caller: Caller, run: Run, cast: Cast) => Promise<Answer>;
}

interface Cell {
  area: string;
  call: string;
  role: Role;
  expected: number;
  found: number;
  /** The expected and the received error code of a refusal. */
  expectedCode: string | null;
  foundCode: string | null;
}

const OUTSIDERS = { nobody: 401, SUPER_ADMIN: 403, CLIENT: 403, 'CLIENT of another organization': 403 };
const NO_VOTER = {
  END_USER: 403,
  'END_USER who is not invited': 403,
  'END_USER of another organization': 403,
};
const NO_ORGANIZER = { CLIENT: 403, 'CLIENT of another organization': 403 };

/** The expected statuses: the same for everybody who is signed in, except for the roles listed. */
const SUPER_ADMINS: Expected = { nobody: 401, SUPER_ADMIN: 200, ...NO_ORGANIZER, ...NO_VOTER };
const ACCOUNTS: Expected = { ...SUPER_ADMINS, CLIENT: 200, 'CLIENT of another organization': 200 };
const ANY_CLIENT: Expected = { ...ACCOUNTS, SUPER_ADMIN: 403 };
/** Data of another organization are answered as if they did not exist. */
const THEIR_CLIENT: Expected = { ...ANY_CLIENT, 'CLIENT of another organization': 404 };
const ANY_VOTER: Expected = {
  ...OUTSIDERS,
  END_USER: 200,
  'END_USER who is not invited': 200,
  'END_USER of another organization': 200,
};
const THEIR_VOTER: Expected = {
  ...OUTSIDERS,
  END_USER: 200,
  'END_USER who is not invited': 403,
  'END_USER of another organization': 404,
};
const THEIR_PEOPLE: Expected = { ...THEIR_VOTER, CLIENT: 200, 'CLIENT of another organization': 404 };
const EVERYBODY: Expected = {
  ...ANY_VOTER,
  nobody: 200,
  SUPER_ADMIN: 200,
  CLIENT: 200,
  'CLIENT of another organization': 200,
};

/** A list with one voter. It is only parsed and stored nowhere. */
const SHEET = { fileName: 'voters.csv', content: btoa('Name,Weight\nTEST_Voter,1\n') };

const get = (area: string, expected: Expected, path: string): Call => ({
  area,
  call: `GET ${path}`,
  expected,
  send: (caller, _run, cast) => caller.get(filled(path, cast)),
});

/**
 * One or two calls of each area. Calls that change something set a value that is set already, or that every permitted
 * caller of this test sets. So their order does not matter.
 */
const CALLS: Call[] = [
  get('Platform', SUPER_ADMINS, '/clients?page=1&pageSize=1'),
  get('Platform', SUPER_ADMINS, '/sessions/stats'),
  get('People of an organization', ANY_CLIENT, '/client/end-users?page=1&pageSize=1'),
  get('People of an organization', THEIR_CLIENT, '/client/end-users/{endUserId}'),
  {
    area: 'People of an organization',
    call: 'POST /client/end-users/import/read',
    expected: ANY_CLIENT,
    send: (caller) => caller.post('/client/end-users/import/read', SHEET),
  },
  get('Invitations', THEIR_CLIENT, '/client/meetings/{meetingId}/invitations?page=1&pageSize=1'),
  get('Meetings and questions', THEIR_CLIENT, '/client/meetings/{meetingId}'),
  get('Meetings and questions', THEIR_CLIENT, '/client/questions/{questionId}'),
  {
    area: 'Control of a meeting',
    call: 'POST /client/meetings/{meetingId}/start',
    expected: THEIR_CLIENT,
    send: (caller, _run, { meetingId }) => caller.post(`/client/meetings/${meetingId}/start`),
  },
  {
    area: 'Control of a meeting',
    call: 'PUT /client/meetings/{meetingId}/current-question',
    expected: THEIR_CLIENT,
    send: (caller, _run, { meetingId, questionId }) =>
      caller.put(`/client/meetings/${meetingId}/current-question`, { questionId }),
  },
  get('Results', THEIR_CLIENT, '/client/meetings/{meetingId}/results'),
  get('Results', THEIR_CLIENT, '/client/meetings/{meetingId}/rounds'),
  get('Exports', THEIR_CLIENT, '/client/meetings/{meetingId}/results/export?format=json'),
  get('Minutes', THEIR_CLIENT, '/client/meetings/{meetingId}/remarks'),
  get('Rehearsal', THEIR_CLIENT, '/client/meetings/{meetingId}/rehearsal'),
  get('Voting', ANY_VOTER, '/voting/meetings'),
  get('Voting', THEIR_VOTER, '/voting/meetings/{meetingId}'),
  {
    area: 'Voting',
    call: 'POST /voting/meetings/{meetingId}/questions/{questionId}/vote',
    expected: { ...THEIR_VOTER, END_USER: 201 },
    codes: {
      'END_USER who is not invited': 'not_in_register',
      'END_USER of another organization': 'question_not_found',
    },
    send: (caller, _run, { meetingId, questionId }) =>
      caller.post(`/voting/meetings/${meetingId}/questions/${questionId}/vote`, { answers: ['Yes'] }),
  },
  get('Live state and stream', THEIR_PEOPLE, '/sse/meetings/{meetingId}/state'),
  {
    area: 'Live state and stream',
    call: 'GET /sse/meetings/{meetingId}/stream',
    expected: THEIR_PEOPLE,
    send: async (caller, { signal }, { meetingId }) => {
      const token = caller.identity === null ? null : await tokenOf(caller);
      return beginningOfStream(`/sse/meetings/${meetingId}/stream`, token, signal);
    },
  },
  get('Tests', ACCOUNTS, '/test/auth'),
  get('Public', EVERYBODY, '/public/meetings/{meetingId}/presentation'),
  get('Public', EVERYBODY, '/health'),
];

export const roleBasedAccess: Diagnostic = {
  name: 'Role-Based Access',
  about: 'Tries one or two calls of each area with each role, and compares the answers with the permissions.',
  run: tryRoles,
};

async function tryRoles(run: Run): Promise<Finding> {
  const total = CALLS.length + 2;
  run.progress(0, total, 'Creating people of each role');
  const cast = await castOf(run);
  const cells: Cell[] = [];
  for (const [index, call] of CALLS.entries()) {
    run.progress(index + 1, total, call.call);
    for (const [role, caller] of cast.callers) {
      cells.push(cellOf(call, role, await call.send(caller, run, cast)));
    }
  }
  run.progress(total - 1, total, 'Checking that refused calls did nothing');
  return findingOf(run, cells, await doneAllTheSame(cast));
}

function cellOf({ area, call, expected, codes }: Call, role: Role, answer: Answer): Cell {
  return {
    area,
    call,
    role,
    expected: expected[role],
    found: answer.status,
    expectedCode: codes?.[role] ?? codeFor(call, role, expected[role]),
    foundCode: answer.status < 300 ? null : (codeOf(answer) ?? null),
  };
}

/** The expected error code of a refusal; null after a success. */
function codeFor(call: string, role: Role, status: number): string | null {
  if (status === 401) {
    return 'authentication_required';
  }
  if (status === 403) {
    const isVoters = call.includes('/voting/') || call.includes('/sse/');
    return isVoters && role === 'END_USER who is not invited' ? 'not_invited' : 'wrong_role';
  }
  if (status === 404) {
    return missingCodeOf(call);
  }
  return null;
}

function missingCodeOf(call: string): string {
  if (call.includes('{meetingId}')) {
    return 'meeting_not_found';
  }
  return call.includes('{questionId}') ? 'question_not_found' : 'end_user_not_found';
}

function filled(path: string, { meetingId, questionId, endUserId }: Cast): string {
  return path
    .replace('{meetingId}', meetingId)
    .replace('{questionId}', questionId)
    .replace('{endUserId}', endUserId);
}

/** Lists effects that a refusal should have prevented, a sentence each. */
async function doneAllTheSame({ callers, meetingId, endUserName }: Cast): Promise<string[]> {
  const organizer = callers.get('CLIENT') as Caller;
  const stats = await organizer.get(`/client/meetings/${meetingId}/current-question/stats`);
  const { totalVotes } = bodyOf<{ totalVotes: number }>(stats, 200);
  const done = totalVotes === 1 ? [] : [`${totalVotes} votes are stored, and one person was let in to vote.`];
  const other = callers.get('CLIENT of another organization');
  if (other) {
    const list = await other.get(
      `/client/end-users?page=1&pageSize=1&search=${encodeURIComponent(endUserName)}`,
    );
    const { meta } = bodyOf<{ meta: { total: number } }>(list, 200);
    if (meta.total > 0) {
      done.push('The list of one organization shows a person of another one.');
    }
  }
  return done;
}

function findingOf({ portal }: Run, cells: Cell[], done: string[]): Finding {
  const others = cells.filter(({ expected, found }) => expected !== found);
  const misnamed = cells.filter(
    ({ expected, found, expectedCode, foundCode }) => expected === found && expectedCode !== foundCode,
  );
  const wrong = [...others, ...misnamed];
  const details = { calls: cells.length, wrong, doneAllTheSame: done, matrix: matrixOf(cells) };
  const [worst] = [...others].sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)));
  if (worst) {
    return failure(`${sentenceOf(worst)}${moreOf(wrong)} ${adviceOn(worst)}`, details);
  }
  if (done.length > 0) {
    return failure(`${done[0]} Do not use this installation until that is fixed.`, details);
  }
  // A refusal with a wrong code comes from the server; one without a code comes from a proxy in front of it.
  const [named] = misnamed.filter(({ foundCode }) => foundCode !== null);
  if (named) {
    return failure(`${sentenceOf(named)}${moreOf(wrong)} Check the version of the server.`, details);
  }
  const [nameless] = misnamed;
  if (nameless) {
    return warning(
      `${sentenceOf(nameless)}${moreOf(wrong)} It was refused, but not by Plenum. Check for a proxy in front of the server with its own rules. This test cannot show whether Plenum refuses it as well.`,
      details,
    );
  }
  const scope =
    portal === 'CLIENT'
      ? ' The token of a super administrator and other organizations cannot be tried from here; platform calls were refused for all other roles.'
      : '';
  const roles = new Set(cells.map(({ role }) => role)).size;
  const areas = new Set(cells.map(({ area }) => area)).size;
  return success(
    `${cells.length} calls in ${areas} areas with ${roles} roles: each was allowed or refused correctly.${scope}`,
    details,
  );
}

function moreOf(wrong: Cell[]): string {
  const more = wrong.length - 1;
  return more > 0 ? ` ${more} more ${more === 1 ? 'is' : 'are'} in the details.` : '';
}

function sentenceOf({ area, call, role, found, expected, foundCode, expectedCode }: Cell): string {
  const answered =
    found === expected
      ? `${found} with ${foundCode === null ? 'no code' : `the code ${foundCode}`} instead of ${expectedCode}`
      : `${found} instead of ${expected}`;
  return `${area}: ${call} as ${role} answered ${answered}.`;
}

function isOpen({ expected, found }: Cell): boolean {
  return found < 300 && expected >= 300;
}

function adviceOn(cell: Cell): string {
  if (isOpen(cell)) {
    return 'People can make calls that they are not allowed to make. Do not use this installation until that is fixed.';
  }
  return cell.found >= 500
    ? 'The server failed. Check its log.'
    : 'Check the proxies between this browser and the server, and the version of the server.';
}

/** By call and role: the status, followed by the expected one if they differ. */
function matrixOf(cells: Cell[]): Record<string, Record<string, string>> {
  const matrix: Record<string, Record<string, string>> = {};
  for (const { area, call, role, expected, found, expectedCode, foundCode } of cells) {
    const row = `${area}: ${call}`;
    matrix[row] ??= {};
    matrix[row][role] =
      expected === found && expectedCode === foundCode
        ? String(found)
        : `${found} ${foundCode ?? ''} instead of ${expected} ${expectedCode ?? ''}`
            .replaceAll('  ', ' ')
            .trim();
  }
  return matrix;
}
